import PinholeModel

/// Programs of Java 11 and later with `java.net.http`.
enum JavaCode {
    /// Returns the program.
    static func text(_ copied: CopiedRequest) -> String {
        var request = copied
        request.keepFields(for: "Java", "other characters than ASCII", where: \.isASCII)
        request.keepFields(for: "Java", "this name") { !["host", "upgrade"].contains($0.name.lowercased()) }
        request.remove("accept-encoding", because: "Java decodes no bodies, so Accept-Encoding is left out")
        let publisher: String
        switch request.body {
        case .none: publisher = "noBody()"
        case .text(let text): publisher = "ofString(\(quoted(text)))"
        case .bytes(let bytes):
            publisher = "ofByteArray(java.util.Base64.getDecoder().decode(\"\(Base64.encode(bytes))\"))"
        }
        // Without TLS, Java would ask the server for HTTP/2 by an upgrade.
        let client =
            request.url.hasPrefix("http:")
            ? "newBuilder().version(HttpClient.Version.HTTP_1_1).build()" : "newHttpClient()"
        var lines = [
            "import java.net.URI;", "import java.net.http.HttpClient;", "import java.net.http.HttpRequest;",
            "import java.net.http.HttpResponse;", "", "public class Request {",
            "    public static void main(String[] arguments) throws Exception {",
            "        HttpRequest request = HttpRequest.newBuilder(URI.create(\(quoted(request.url))))",
            "            .method(\(quoted(request.method)), HttpRequest.BodyPublishers.\(publisher))",
        ]
        lines += request.fields.map { field in
            "            .header(\(quoted(field.name)), \(quoted(field.text ?? "")))"
        }
        lines += [
            "            .build();", "        HttpResponse<String> response = HttpClient.\(client)",
            "            .send(request, HttpResponse.BodyHandlers.ofString());",
            "        System.out.println(response.statusCode());",
            "        System.out.println(response.body());",
            "    }", "}",
        ]
        return request.comments("//") + lines.joined(separator: "\n") + "\n"
    }

    private static func quoted(_ text: String) -> String { CodeText.java(text) }
}
