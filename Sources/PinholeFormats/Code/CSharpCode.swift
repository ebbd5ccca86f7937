import PinholeModel

/// Programs of C# with `HttpClient`.
enum CSharpCode {
    /// Fields that .NET keeps with the content of a message.
    private static let ofContent: Set<String> = ["allow", "expires", "last-modified"]

    /// Returns the program.
    static func text(_ copied: CopiedRequest) -> String {
        var request = copied
        request.keepFields(for: "HttpClient", "other characters than ASCII", where: \.isASCII)
        var lines = [
            "using System;", "using System.Net;", "using System.Net.Http;", "using System.Text;", "",
            "using var client = new HttpClient(new HttpClientHandler", "{", "    AllowAutoRedirect = false,",
            "    AutomaticDecompression = DecompressionMethods.All,", "});",
            "using var request = new HttpRequestMessage(new HttpMethod(\(quoted(request.method))), \(quoted(request.url)));",
        ]
        let content = request.fields.filter { isOfContent($0.name.lowercased()) }
        switch request.body {
        case .none where content.isEmpty: break
        case .none: lines.append("request.Content = new ByteArrayContent(Array.Empty<byte>());")
        case .text(let text):
            lines.append("request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(\(quoted(text))));")
        case .bytes(let bytes):
            lines.append(
                "request.Content = new ByteArrayContent(Convert.FromBase64String(\"\(Base64.encode(bytes))\"));"
            )
        }
        lines += request.fields.map { field in
            let place = isOfContent(field.name.lowercased()) ? "Content.Headers" : "Headers"
            return
                "request.\(place).TryAddWithoutValidation(\(quoted(field.name)), \(quoted(field.text ?? "")));"
        }
        lines += [
            "using var response = await client.SendAsync(request);",
            "Console.WriteLine((int)response.StatusCode);",
            "Console.WriteLine(await response.Content.ReadAsStringAsync());",
        ]
        return request.comments("//") + lines.joined(separator: "\n") + "\n"
    }

    private static func isOfContent(_ name: String) -> Bool {
        name.hasPrefix("content-") || ofContent.contains(name)
    }

    private static func quoted(_ text: String) -> String { CodeText.csharp(text) }
}
