import PinholeModel

/// Programs of Swift with `URLSession`.
enum SwiftCode {
    /// Returns the program.
    static func text(_ copied: CopiedRequest) -> String {
        var request = copied
        request.keepFields(for: "URLSession", "bytes that are not UTF-8") { $0.text != nil }
        request.joinFields(for: "URLSession")
        if RewrittenURL.isEscaped(request.url) { request.remark("URL escapes in its own way") }
        var lines = [
            "import Foundation", "#if canImport(FoundationNetworking)", "import FoundationNetworking",
            "#endif", "",
            "var request = URLRequest(url: URL(string: \(quoted(request.url)))!)",
            "request.httpMethod = \(quoted(request.method))",
        ]
        lines += request.fields.map { field in
            "request.addValue(\(quoted(field.text ?? "")), forHTTPHeaderField: \(quoted(field.name)))"
        }
        switch request.body {
        case .none: break
        case .text(let text): lines.append("request.httpBody = Data(\(quoted(text)).utf8)")
        case .bytes(let bytes):
            lines.append("request.httpBody = Data(base64Encoded: \"\(Base64.encode(bytes))\")")
        }
        lines += [
            "let (data, response) = try await URLSession.shared.data(for: request)",
            "print((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))",
        ]
        return request.comments("//") + lines.joined(separator: "\n") + "\n"
    }

    private static func quoted(_ text: String) -> String { CodeText.scriptOrSwift(text) }
}
