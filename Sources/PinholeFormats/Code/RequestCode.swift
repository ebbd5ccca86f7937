package import PinholeModel
import PinholeStore

/// A recorded request as a command or a program that sends it again.
package enum RequestCode {
    /// A tool or a library that sends the request.
    package enum Language: String, CaseIterable, Sendable {
        case curl
        case httpie
        case wget
        case powershell
        case fetch
        case axios
        case requests
        case httpx
        case go
        case java
        case swift
        case csharp

        /// The name for users.
        package var title: String {
            switch self {
            case .curl: "curl"
            case .httpie: "HTTPie"
            case .wget: "wget"
            case .powershell: "PowerShell"
            case .fetch: "JavaScript (fetch)"
            case .axios: "JavaScript (axios)"
            case .requests: "Python (requests)"
            case .httpx: "Python (httpx)"
            case .go: "Go"
            case .java: "Java"
            case .swift: "Swift (URLSession)"
            case .csharp: "C#"
            }
        }
    }

    /// Returns the text of a command or program.
    ///
    /// A person edits it before it is run, so it has no field that depends on the body. Comments before it say what it does
    /// not send as it was recorded.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - body: The recorded bytes of its request body.
    ///   - language: The tool or library.
    /// - Returns: The text, with a line break at its end.
    package static func text(_ record: ExchangeRecord, body: [UInt8], in language: Language) -> String {
        if language == .curl { return CurlCommand(record, body: body).text + "\n" }
        let request = CopiedRequest(record, body: body)
        return switch language {
        case .curl, .httpie: ShellCode.httpie(request, body)
        case .wget: ShellCode.wget(request, body)
        case .powershell: PowerShellCode.text(request)
        case .fetch: JavaScriptCode.fetch(request)
        case .axios: JavaScriptCode.axios(request)
        case .requests: PythonCode.requests(request)
        case .httpx: PythonCode.httpx(request)
        case .go: GoCode.text(request)
        case .java: JavaCode.text(request)
        case .swift: SwiftCode.text(request)
        case .csharp: CSharpCode.text(request)
        }
    }
}
