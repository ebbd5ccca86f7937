/// A text of an exchange or a flow, or several.
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

    /// The method, as it came.
    case method
    /// The host that was asked for.
    case host
    /// The path, without the query.
    case path
    /// The query, without the question mark.
    case query
    /// The URL.
    case url
    /// `https` or `http`.
    case scheme
    /// How it ended.
    case outcome
    /// Why it failed.
    case error
    /// What somebody said of it.
    case comment
    /// mitmproxy's name of the mark that somebody put on it: there is one kind here.
    case marker
    /// The client's address and port.
    case client
    /// The name of the program that made the connection, and the file that it runs.
    case process
    /// The user who logged in to the proxy.
    case proxyUser
    /// The server's address and port.
    case server
    /// The server's address and port, and the host and port that were asked for.
    case destination
    /// What was done with the tunnel.
    case treatment
    /// The server name in the ClientHello.
    case serverName
    /// The application protocol that was agreed upon, on either side.
    case applicationProtocol
    /// The version of TLS, on either side.
    case version
    /// The cipher suite, on either side.
    case cipher
    /// Why a handshake failed.
    case cause
    /// The name of a TLS alert, and its number.
    case alert
    /// Each field line as `name: value`.
    case headers(Part)
    /// The values of the fields with a name, given in lower case.
    case header(Part, String)
    /// The media type.
    case contentType(Part)
    /// The body, decoded, and the messages of a WebSocket.
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
