import PinholeModel

extension DocumentValue {
    /// Reads a text without control characters.
    ///
    /// A line break in a field would begin another field.
    static func fieldText(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        let text = try string(value, path)
        guard FieldText.isValue(text.utf8) else {
            throw DocumentFailure(
                path: path,
                expected: "a text without line breaks and other control characters",
                found: "one with them"
            )
        }
        return text
    }

    /// Reads a field line, `Name: value`.
    static func fieldLine(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> FieldLine {
        guard let line = FieldLine(try fieldText(value, path)) else {
            throw value.failure(at: path, expected: "“Name: value”")
        }
        guard !FieldText.framing.contains(line.lowercased) else { throw framing(line.name, path) }
        return line
    }

    /// Reads the name of a field that a rule may change, in lower case.
    static func fieldName(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        let name = try string(value, path)
        guard FieldText.isToken(name) else {
            throw value.failure(at: path, expected: "the name of a header")
        }
        guard !FieldText.framing.contains(name.lowercased()) else { throw framing(name, path) }
        return name.lowercased()
    }

    /// Reads the beginning of a path.
    static func pathPrefix(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        let text = try string(value, path)
        guard text.hasPrefix("/"), FieldText.isPath(text.utf8), !text.contains("?") else {
            throw value.failure(at: path, expected: "the beginning of a path, “/…”")
        }
        return text
    }

    private static func framing(_ name: String, _ path: String) -> DocumentFailure {
        DocumentFailure(
            path: path,
            expected: "a header that rules may change",
            found: "“\(name)”, which Pinhole writes itself",
            remedy: name.lowercased() == "host" ? "use mapRemote, which changes the server that is named" : ""
        )
    }
}
