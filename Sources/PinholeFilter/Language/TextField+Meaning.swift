extension TextField {
    /// The fields as a listing names them: each once, for both messages, and with a field by its name.
    package static let listed: [TextField] =
        all.filter { $0.part == .either } + [.header(.either, "name")]

    /// The side of the messages; both sides for a field that belongs to neither.
    private var part: Part {
        switch self {
        case .headers(let part), .header(let part, _), .contentType(let part), .body(let part): part
        default: .either
        }
    }

    /// Whether `request.` or `response.` may stand before the name.
    package var hasParts: Bool {
        switch self {
        case .headers, .header, .contentType, .body: true
        default: false
        }
    }

    /// The meaning of the text, for listings and docs/FILTERS.md.
    package var meaning: String {
        switch self {
        case .method: "the method, as it was sent"
        case .host: "the host that the client asked for, without the port"
        case .path: "the path, which ends before `?`"
        case .query: "the query, without `?`"
        case .url: "the URL, without the default port of its scheme"
        case .scheme: "`https` or `http`"
        case .outcome: "the end of the exchange: `completed`, `abortedByClient` … (docs/COMMANDS.md#json)"
        case .error: "why it failed"
        case .comment: "the comment from the console"
        case .marker: "the mark from the console, which is `:default:` as in mitmproxy"
        case .client: "the client's address and port"
        case .process: "the name and the file of the client's program (docs/LISTENERS.md#which-program-asked)"
        case .proxyUser: "the user who logged in to the proxy (docs/LISTENERS.md#whose-traffic-it-is)"
        case .server: "the server's address and port"
        case .destination: "the server's address, and the host that the client asked for"
        case .treatment: "the treatment of the tunnel: `intercepted`, `passedThrough` …"
        case .serverName: "the server name in the client's TLS handshake"
        case .applicationProtocol: "the protocol that a TLS handshake agreed on"
        case .version: "the version of TLS, with the client or the server"
        case .cipher: "the cipher suite, with the client or the server"
        case .cause: "why a TLS handshake failed (docs/TROUBLESHOOTING.md#it-arrives-and-the-handshake-fails)"
        case .alert: "the TLS alert that ended a connection, by name or number"
        case .headers: "each field line as `name: value`, trailers too"
        case .header: "each value of the field; `header[x-id] ~ *` is true if the field is present"
        case .contentType:
            "Content-Type: as it was sent, or a word as the console's column shows it (`html`, `json`, `js`, `css`, "
                + "`image/png`), the type without its parameters (`text/html`), the kind (`image`, `font`), or the "
                + "syntax (`json` of `application/problem+json`). `matches` and `~t` search only the text that was sent"
        case .body: "the body, decoded (gzip, deflate, br, zstd), and the messages of a WebSocket"
        }
    }

    /// A filter that compares the text.
    package var example: String {
        switch self {
        case .method: "method == POST"
        case .host: "host == api.example.com"
        case .path: "path ~ /api/*/items"
        case .query: "query contains page=2"
        case .url: "url contains /login"
        case .scheme: "scheme == http"
        case .outcome: "outcome == abortedByClient"
        case .error: "error contains refused"
        case .comment: "comment contains why"
        case .marker: "marker == :default:"
        case .client: "client startswith 192.0.2."
        case .process: "process == curl"
        case .proxyUser: "proxy.user == anna"
        case .server: "server endswith :8443"
        case .destination: "destination matches 192.0.2"
        case .treatment: "treatment == passedThrough"
        case .serverName: "sni == api.example.com"
        case .applicationProtocol: "alpn == h2"
        case .version: "tls.version == TLSv1.2"
        case .cipher: "tls.cipher contains CHACHA20"
        case .cause: "tls.cause == authorityNotTrusted"
        case .alert: "tls.alert == unknown_ca"
        case .headers: "headers matches \"^server: nginx\""
        case .header: "header[grpc-status] != 0"
        case .contentType: "type == html"
        case .body: "body contains teapot"
        }
    }
}
