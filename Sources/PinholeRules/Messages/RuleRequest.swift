package import PinholeModel

/// A request as rules see it, independent of the version of HTTP.
package struct RuleRequest: Sendable, Equatable {
    /// The scheme of the request's URL.
    package var scheme: Scheme
    /// The server that the request is for.
    package var authority: Authority
    /// The request method (RFC 9110 §9), in the case that was sent.
    package var method: String
    /// The path and query.
    package var path: String
    /// The field lines.
    ///
    /// They include the pseudo-fields of HTTP/2, which no rule changes.
    package var fields: HeaderFields
    /// Whether field names are written in lower case, as HTTP/2 requires.
    package var isLowercased: Bool
    /// The operations of GraphQL that the client sent; `nil` as long as they are unknown.
    package var operations: [GraphQLRequest.Operation]?

    /// Creates a request.
    package init(
        scheme: Scheme,
        authority: Authority,
        method: String,
        path: String,
        fields: HeaderFields,
        isLowercased: Bool = false
    ) {
        self.scheme = scheme
        self.authority = authority
        self.method = method
        self.path = path
        self.fields = fields
        self.isLowercased = isLowercased
    }

    /// The URL that filters see: scheme, authority and path.
    package var url: String {
        "\(scheme.rawValue)://\(authority.text(defaultPort: scheme.defaultPort))\(path == "*" ? "" : path)"
    }

    /// Whether the request asks for a WebSocket (RFC 6455 §4.1, RFC 8441 §4).
    package var asksForWebSocket: Bool {
        fields.list("upgrade", contains: "websocket")
            || method == "CONNECT"
                && fields.indices.contains {
                    fields.isNamed(":protocol", at: $0)
                        && fields.value(at: $0).elementsEqual("websocket".utf8)
                }
    }

    /// Returns the operations of GraphQL in the path and in the decoded body.
    ///
    /// - Parameter body: The body; `nil` for none.
    /// - Returns: The operations; `nil` if the body cannot be read, so that there may be others.
    package func operations(in body: [UInt8]?) -> [GraphQLRequest.Operation]? {
        let request = GraphQLRequest(path: path, bodies: body.map { [$0] } ?? [])
        return request.isComplete ? request.operations : nil
    }

    /// Creates a GET request for `url` without fields; `nil` if the URL cannot be requested.
    init?(url: String) {
        self.init(
            scheme: .http,
            authority: Authority(host: .name("localhost"), port: 80),
            method: "GET",
            path: "/",
            fields: HeaderFields()
        )
        guard take(url: url) else { return nil }
    }

    /// Takes scheme, server, path and query from `url`.
    ///
    /// - Returns: Whether the URL can be requested. If not, nothing is changed.
    mutating func take(url: String) -> Bool {
        let parts = url.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let scheme = Scheme(rawValue: parts[0].lowercased()),
            parts[1].hasPrefix("//"), FieldText.isPath(url.utf8)
        else { return false }
        let rest = parts[1].dropFirst(2)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let authority = try? Authority(rest[..<end], defaultPort: scheme.defaultPort) else {
            return false
        }
        self.scheme = scheme
        self.authority = authority
        path = (rest[end...].hasPrefix("/") ? "" : "/") + rest[end...]
        return true
    }
}
