/// Decides which bodies can be changed as text.
enum BodyText {
    private static let textual: Set = [
        "application/xml", "application/javascript", "application/x-javascript", "application/ecmascript",
        "application/x-www-form-urlencoded", "application/graphql", "application/sql", "application/yaml",
        "application/toml", "application/x-yaml", "image/svg+xml",
    ]

    /// Returns the reason why `body` cannot be changed as text.
    ///
    /// - Parameters:
    ///   - body: The content.
    ///   - type: The Content-Type; without one, the bytes decide.
    /// - Returns: The reason; `nil` if the body can be changed.
    static func obstacle(toText body: [UInt8], type: String?) -> BodyObstacle? {
        guard let type, !type.isEmpty else {
            guard !body.contains(0), String(validating: body, as: UTF8.self) != nil else {
                return BodyObstacle(text: "the body has no Content-Type, and is not a text in UTF-8")
            }
            return nil
        }
        let essence = essence(type)
        guard essence.hasPrefix("text/") || textual.contains(essence) || isJSON(essence) || isXML(essence)
        else { return BodyObstacle(text: "\(essence) is not a text") }
        return charset(type)
    }

    /// The reason why `body` cannot be changed as JSON; `nil` if it can.
    static func obstacle(toJSON body: [UInt8], type: String?) -> BodyObstacle? {
        guard let type, !type.isEmpty else { return nil }
        let essence = essence(type)
        guard isJSON(essence) || essence.hasPrefix("text/") else {
            return BodyObstacle(text: "\(essence) is not JSON")
        }
        return charset(type)
    }

    /// The type without its parameters, in lower case.
    private static func essence(_ type: String) -> String {
        let end = type.firstIndex { $0 == ";" || $0 == " " || $0 == "\t" } ?? type.endIndex
        return type[..<end].lowercased()
    }

    private static func isJSON(_ essence: String) -> Bool {
        essence.hasSuffix("/json") || essence.hasSuffix("+json") || essence == "application/x-ndjson"
    }

    private static func isXML(_ essence: String) -> Bool { essence.hasSuffix("+xml") }

    /// The reason why text in this charset cannot be changed; `nil` if it can.
    ///
    /// Edits search bytes, so ASCII characters must be encoded as in ASCII.
    private static func charset(_ type: String) -> BodyObstacle? {
        guard let range = type.lowercased().range(ofCharset: "charset=") else { return nil }
        let name = range.drop { $0 == "\"" }.prefix { $0 != ";" && $0 != "\"" && $0 != " " }
        let alike = ["utf-8", "utf8", "us-ascii", "ascii"]
        let families = ["iso-8859-", "windows-125", "latin"]
        guard alike.contains(String(name)) || families.contains(where: name.hasPrefix) else {
            return BodyObstacle(text: "text in \(name) cannot be changed, only UTF-8 and what is like ASCII")
        }
        return nil
    }
}

extension String {
    /// The text after the first `key`; `nil` if it does not occur.
    fileprivate func range(ofCharset key: String) -> Substring? {
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(key) { return rest.dropFirst(key.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
