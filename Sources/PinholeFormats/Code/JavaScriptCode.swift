import PinholeModel

/// Programs of JavaScript.
enum JavaScriptCode {
    /// Returns a call of `fetch`; it takes a value as bytes, one character for each.
    static func fetch(_ copied: CopiedRequest) -> String {
        var request = copied
        var body: String?
        switch request.body {
        case .none: break
        case _ where ["GET", "HEAD"].contains(request.method.uppercased()):
            request.remark("fetch sends no body with \(request.method): it is left out")
        case .text(let text):
            // With a text as its body, fetch would add a Content-Type of its own.
            let hasType = request.fields.contains { $0.isNamed("content-type") }
            body = hasType ? quoted(text) : "new TextEncoder().encode(\(quoted(text)))"
        case .bytes(let bytes):
            body = "Uint8Array.from(atob(\"\(Base64.encode(bytes))\"), (c) => c.charCodeAt(0))"
        }
        noteBytes(&request, "fetch")
        if RewrittenURL.hasDots(request.url) { request.remark("fetch removes dot segments from the URL") }
        request.joinFields(for: "fetch")
        var lines = [
            "const response = await fetch(\(quoted(request.url)), {", "  method: \(quoted(request.method)),",
        ]
        if !request.fields.isEmpty {
            lines.append("  headers: [")
            lines += request.fields.map { "    [\(quoted($0.name)), \(quoted(CodeText.latin1($0.value)))]," }
            lines.append("  ],")
        }
        if let body { lines.append("  body: \(body),") }
        lines += ["  redirect: \"manual\",", "});", "console.log(response.status, await response.text());"]
        return request.comments("//") + lines.joined(separator: "\n") + "\n"
    }

    /// Returns a call of `axios`.
    static func axios(_ copied: CopiedRequest) -> String {
        var request = copied
        noteBytes(&request, "axios")
        request.joinFields(for: "axios")
        var lines = [
            "import axios from \"axios\";", "", "const response = await axios.request({",
            "  method: \(quoted(request.method)),", "  url: \(quoted(request.url)),",
        ]
        if !request.fields.isEmpty {
            lines.append("  headers: {")
            lines += request.fields.map { "    \(quoted($0.name)): \(quoted(CodeText.latin1($0.value)))," }
            lines.append("  },")
        }
        switch request.body {
        case .none: break
        case .text(let text): lines.append("  data: \(quoted(text)),")
        case .bytes(let bytes): lines.append("  data: Buffer.from(\"\(Base64.encode(bytes))\", \"base64\"),")
        }
        lines += [
            // Without this, axios writes data of the type JSON anew.
            "  transformRequest: [(data) => data],", "  maxRedirects: 0,", "  validateStatus: () => true,",
            "});",
            "console.log(response.status, response.data);",
        ]
        return request.comments("//") + lines.joined(separator: "\n") + "\n"
    }

    private static func noteBytes(_ request: inout CopiedRequest, _ tool: String) {
        guard !request.fields.allSatisfy(\.isASCII) else { return }
        request.remark("\(tool) takes bytes: each character of a header is one, so UTF-8 looks odd here")
    }

    private static func quoted(_ text: String) -> String { CodeText.scriptOrSwift(text) }
}
