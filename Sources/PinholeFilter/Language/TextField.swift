/// A text of an exchange or a flow, or several; ``meaning`` explains each.
package enum TextField: Hashable, Sendable {
    /// Which messages of an exchange are meant.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        /// Both.
        case either = ""
        /// The request.
        case request = "request."
        /// The response.
        case response = "response."
    }

    case method
    case host
    case path
    case query
    case url
    case scheme
    case outcome
    case error
    case comment
    case marker
    case client
    case process
    case proxyUser
    case server
    case destination
    case treatment
    case serverName
    case applicationProtocol
    case version
    case cipher
    case cause
    case alert
    case headers(Part)
    /// The values of the fields with a name, given in lower case.
    case header(Part, String)
    case contentType(Part)
    case body(Part)

    /// The fields that have a name of their own.
    package static let all: [TextField] =
        [
            .method, .host, .path, .query, .url, .scheme, .outcome, .error, .comment, .marker, .client,
            .process, .proxyUser, .server, .destination, .treatment, .serverName, .applicationProtocol,
            .version, .cipher, .cause, .alert,
        ] + Part.allCases.flatMap { [.headers($0), .contentType($0), .body($0)] }

    /// The name in the language.
    package var name: String {
        switch self {
        case .method: "method"
        case .host: "host"
        case .path: "path"
        case .query: "query"
        case .url: "url"
        case .scheme: "scheme"
        case .outcome: "outcome"
        case .error: "error"
        case .comment: "comment"
        case .marker: "marker"
        case .client: "client"
        case .process: "process"
        case .proxyUser: "proxy.user"
        case .server: "server"
        case .destination: "destination"
        case .treatment: "treatment"
        case .serverName: "sni"
        case .applicationProtocol: "alpn"
        case .version: "tls.version"
        case .cipher: "tls.cipher"
        case .cause: "tls.cause"
        case .alert: "tls.alert"
        case .headers(let part): part.rawValue + "headers"
        case .header(let part, let name): "\(part.rawValue)header[\(name)]"
        case .contentType(let part): part.rawValue + "type"
        case .body(let part): part.rawValue + "body"
        }
    }

    /// Where the text is.
    package var source: FactSource {
        switch self {
        case .method, .host, .path, .query, .url, .scheme, .outcome, .error, .comment, .marker, .proxyUser:
            .summary
        case .client, .process, .server, .destination, .treatment, .serverName, .applicationProtocol,
            .version, .cipher, .cause, .alert:
            .flow
        case .headers, .header, .contentType: .heads
        case .body: .bodies
        }
    }
}
