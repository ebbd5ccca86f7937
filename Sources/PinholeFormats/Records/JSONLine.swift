import PinholeModel

/// Writes a JSON object on one line, with sorted members and with invisible characters escaped.
package enum JSONLine {
    /// Returns the line for `value`, without its line break.
    package static func text(_ value: some Encodable) -> String {
        (try? JSONText.encoding(value, isSorted: true)) ?? "{}"
    }
}

/// A JSON object by the names of its members; a member without a value is left out.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private var members: [(name: String, value: (any Encodable)?)]

    /// Creates an object from the names and values of its members.
    package init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        self.members = members.map { (name: $0.0, value: $0.1) }
    }

    /// Returns the object with the members of another one as well.
    package func adding(_ other: JSONObject) -> JSONObject {
        var object = self
        object.members += other.members
        return object
    }

    /// Writes the members.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberName.self)
        for case (let name, let value?) in members {
            try container.encode(value, forKey: MemberName(stringValue: name))
        }
    }
}
