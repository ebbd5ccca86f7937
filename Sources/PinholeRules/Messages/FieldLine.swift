/// A field that a rule writes, `Name: value`.
///
/// The line is checked when the rule is read.
package struct FieldLine: Sendable, Hashable {
    /// The name as written in HTTP/1.
    package let name: String
    /// The value, without the whitespace around it.
    package let value: String

    /// Creates a line; `nil` if the name is no token or the value contains a control character.
    ///
    /// - Parameters:
    ///   - name: A token (RFC 9110 §5.6.2).
    ///   - value: A text without control characters.
    package init?(_ name: String, _ value: String) {
        guard FieldText.isToken(name), FieldText.isValue(value.utf8) else { return nil }
        self.name = name
        self.value = value
    }

    /// Parses `Name: value`; `nil` if the text is no field line.
    ///
    /// - Parameter line: The line without its end; white space around the value is removed.
    package init?(_ line: String) {
        guard let colon = line.utf8.firstIndex(of: 0x3a) else { return nil }
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let rest = line[line.utf8.index(after: colon)...].drop(while: blank)
        let value = rest.reversed().drop(while: blank).reversed()
        self.init(String(line[..<colon]), String(value))
    }

    /// The name in lower case.
    package var lowercased: String { name.lowercased() }
}
