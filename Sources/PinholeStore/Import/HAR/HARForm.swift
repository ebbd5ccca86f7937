import PinholeModel

/// A form of which an exporter tells the fields, and not the bytes.
struct HARForm {
    private let type: String
    private let fields: [JSONFact]

    /// Takes `postData`.
    init(_ post: JSONFact) {
        type = post["mimeType"]?.text ?? "application/x-www-form-urlencoded"
        fields = post["params"]?.elements ?? []
    }

    /// Writes the body that has these fields.
    ///
    /// - Parameter exchange: Is told where there should be one, and cannot.
    /// - Returns: The body; empty where there are no fields.
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

    /// The fields as a query has them.
    private var encoded: String {
        fields.compactMap { field in
            field["name"]?.text.map { name in
                Percent.encode(name) + "=" + Percent.encode(field["value"]?.text ?? "")
            }
        }.joined(separator: "&")
    }

    /// What stands between the parts (RFC 2046 §5.1.1); `nil` where the type does not tell it.
    private var boundary: String? {
        let parameter = type.split(separator: ";").dropFirst().lazy
            .map { $0.drop { $0 == " " } }
            .first { $0.lowercased().hasPrefix("boundary=") }
        let value = parameter.map { Self.line($0.dropFirst("boundary=".count).filter { $0 != "\"" }) }
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A part of RFC 7578.
    private func part(_ field: JSONFact, _ boundary: String) -> String {
        var head = "Content-Disposition: form-data; name=\"\(Self.quoted(field["name"]?.text ?? ""))\""
        if let file = field["fileName"]?.text { head += "; filename=\"\(Self.quoted(file))\"" }
        if let type = field["contentType"]?.text { head += "\r\nContent-Type: \(Self.line(type))" }
        return "--\(boundary)\r\n\(head)\r\n\r\n\(field["value"]?.text ?? "")\r\n"
    }

    /// A name between quotes, as browsers write it.
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

    /// A text without line ends: no field is made two.
    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\r" || $0 == "\n" ? " " : $0 }))
    }
}
