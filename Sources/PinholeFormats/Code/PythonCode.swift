/// Programs of Python.
enum PythonCode {
    /// Returns a call of `requests`.
    static func requests(_ copied: CopiedRequest) -> String {
        var request = copied
        request.joinFields(for: "requests")
        if RewrittenURL.isRewrittenByRequests(request.url) {
            request.remark("requests writes the URL in its own way")
        }
        var lines = [
            "response = requests.request(", "    \(quoted(request.method)),", "    \(quoted(request.url)),",
        ]
        if !request.fields.isEmpty {
            lines.append("    headers={")
            lines += request.fields.map { "        \(quoted($0.name)): \(value($0))," }
            lines.append("    },")
        }
        if let body = body(request.body) { lines.append("    data=\(body),") }
        lines += ["    allow_redirects=False,", ")"]
        return program("requests", lines, request)
    }

    /// Returns a call of `httpx`.
    static func httpx(_ copied: CopiedRequest) -> String {
        var lines = [
            "response = httpx.request(", "    \(quoted(copied.method)),", "    \(quoted(copied.url)),",
        ]
        if !copied.fields.isEmpty {
            lines.append("    headers=[")
            // A pair of texts and bytes is not understood, so a value of other characters makes its name bytes, too.
            lines += copied.fields.map { field in
                let name = field.isASCII ? quoted(field.name) : "b" + CodeText.bytes(Array(field.name.utf8))
                return "        (\(name), \(value(field))),"
            }
            lines.append("    ],")
        }
        if let body = body(copied.body) { lines.append("    content=\(body),") }
        return program("httpx", lines + [")"], copied)
    }

    private static func program(_ module: String, _ call: [String], _ request: CopiedRequest) -> String {
        let lines = ["import \(module)", ""] + call + ["print(response.status_code, response.text)"]
        return request.comments("#") + lines.joined(separator: "\n") + "\n"
    }

    private static func quoted(_ text: String) -> String { CodeText.pythonOrGo(text) }

    /// Returns a value of a field, which may have any bytes.
    private static func value(_ field: CopiedRequest.Field) -> String {
        guard field.isASCII, let text = field.text else { return "b" + CodeText.bytes(field.value) }
        return quoted(text)
    }

    private static func body(_ body: CopiedRequest.Body) -> String? {
        switch body {
        case .none: nil
        case .text(let text) where text.utf8.allSatisfy({ $0 < 0x80 }): "b" + CodeText.bytes(Array(text.utf8))
        case .text(let text): quoted(text) + ".encode()"
        case .bytes(let bytes): "b" + CodeText.bytes(bytes)
        }
    }
}
