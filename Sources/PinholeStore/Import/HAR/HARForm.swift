import PinholeModel

/// A form of which an exporter wrote the fields, and not the bytes.
struct HARForm {
    private let type: String
    private let fields: [JSONValue]

    /// Creates a form from `postData`.
    init(_ post: JSONValue) {
        type = post["mimeType"]?.text ?? "application/x-www-form-urlencoded"
        fields = post["params"]?.elements ?? []
    }

    /// Returns a body with these fields.
    ///
    /// - Parameter exchange: The exchange to which a fault is added if a body cannot be made.
    /// - Returns: The body; empty without fields.
    func body(into exchange: inout ImportedExchange) -> [UInt8] {
        let kind = type.prefix { $0 != ";" }.lowercased()
        guard !fields.isEmpty else { return [] }
        if kind == "application/x-www-form-urlencoded" { return Array(encoded.utf8) }
        guard kind == "multipart/form-data" else { return [] }
        guard let boundary else {
            exchange.doubt(
                .boundary,
                "request.postData: expected a boundary in mimeType, found \(TerminalText.quoted(type, longest: 60))"
            )
            return []
        }
        return Array((fields.map { part($0, boundary) }.joined() + "--\(boundary)--\r\n").utf8)
    }

    /// The fields in the encoding of a query.
    private var encoded: String {
        fields.compactMap { field in
            field["name"]?.text.map { name in
                Self.encoded(name) + "=" + Self.encoded(field["value"]?.text ?? "")
            }
        }.joined(separator: "&")
    }

    /// Encodes a name or value as in a form (`application/x-www-form-urlencoded`).
    private static func encoded(_ text: String) -> String {
        let encoded = PercentCoding.encode(text.utf8) {
            $0 == 0x20 || $0 == 0x2a || $0 != 0x7e && PercentCoding.isUnreserved($0)
        }
        return String(encoded.map { $0 == " " ? "+" : $0 })
    }

    /// The boundary between the parts (RFC 2046 §5.1.1); `nil` if the type does not name it.
    private var boundary: String? {
        let parameter = type.split(separator: ";").dropFirst().lazy
            .map { $0.drop { $0 == " " } }
            .first { $0.lowercased().hasPrefix("boundary=") }
        let value = parameter.map { Self.line($0.dropFirst("boundary=".count).filter { $0 != "\"" }) }
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a part of a multipart form (RFC 7578).
    private func part(_ field: JSONValue, _ boundary: String) -> String {
        var head = "Content-Disposition: form-data; name=\"\(Self.quoted(field["name"]?.text ?? ""))\""
        if let file = field["fileName"]?.text { head += "; filename=\"\(Self.quoted(file))\"" }
        if let type = field["contentType"]?.text { head += "\r\nContent-Type: \(Self.line(type))" }
        return "--\(boundary)\r\n\(head)\r\n\r\n\(field["value"]?.text ?? "")\r\n"
    }

    /// Returns a name for use between quotes, escaped as browsers do.
    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { quoted, scalar in
            switch scalar {
            case "\"": quoted += "%22"
            case "\r": quoted += "%0D"
            case "\n": quoted += "%0A"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns a text without line ends, so that it cannot add a field.
    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\r" || $0 == "\n" ? " " : $0 }))
    }
}
