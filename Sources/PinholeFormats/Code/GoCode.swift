/// Programs of Go with `net/http`.
enum GoCode {
    /// Returns the program.
    static func text(_ copied: CopiedRequest) -> String {
        var request = copied
        request.remove("accept-encoding", because: "Go asks for gzip by itself, and decodes it then")
        let reader: String
        var imports = ["\"fmt\"", "\"io\"", "\"net/http\""]
        switch request.body {
        case .none: reader = "nil"
        case .text(let text):
            reader = "strings.NewReader(\(quoted(text)))"
            imports.append("\"strings\"")
        case .bytes(let bytes):
            reader = "strings.NewReader(\(CodeText.bytes(bytes)))"
            imports.append("\"strings\"")
        }
        var lines =
            ["package main", "", "import ("] + imports.map { "\t\($0)" } + [")", "", "func main() {"]
        lines.append(
            "\trequest, err := http.NewRequest(\(quoted(request.method)), \(quoted(request.url)), \(reader))"
        )
        lines += failing
        // A name in square brackets keeps its letters, and may have several values.
        var names: [String] = []
        for field in request.fields where !names.contains(field.name) { names.append(field.name) }
        for name in names {
            let values = request.fields.filter { $0.name == name }.map(value).joined(separator: ", ")
            let isHost = name.lowercased() == "host"
            lines.append(
                isHost
                    ? "\trequest.Host = \(values)" : "\trequest.Header[\(quoted(name))] = []string{\(values)}"
            )
        }
        if !request.fields.contains(where: { $0.isNamed("user-agent") }) {
            lines.append("\trequest.Header[\"User-Agent\"] = []string{\"\"} // sends none")
        }
        // The transport follows no redirects, unlike a client.
        lines += ["\tresponse, err := http.DefaultTransport.RoundTrip(request)"] + failing
        lines += ["\tdefer response.Body.Close()", "\tcontent, err := io.ReadAll(response.Body)"] + failing
        lines += ["\tfmt.Println(response.Status)", "\tfmt.Println(string(content))", "}"]
        return request.comments("//") + lines.joined(separator: "\n") + "\n"
    }

    private static let failing = ["\tif err != nil {", "\t\tpanic(err)", "\t}"]

    private static func quoted(_ text: String) -> String { CodeText.pythonOrGo(text) }

    private static func value(_ field: CopiedRequest.Field) -> String {
        field.text.map(quoted) ?? CodeText.bytes(field.value)
    }
}
