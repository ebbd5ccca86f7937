package import PinholeModel

/// A request as rules see it, whichever version of HTTP carries it.
package struct RuleRequest: Sendable, Equatable {
    /// The scheme.
    package var scheme: Scheme
    /// The server that is meant.
    package var authority: Authority
    /// The method.
    package var method: String
    /// The path and query.
    package var path: String
    /// The field lines; pseudo-fields of HTTP/2 among them, which no rule touches.
    package var fields: HeaderFields
    /// Whether names of fields are written in lower case, as HTTP/2 wants it.
    package var isLowercased: Bool

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

    /// The URL.
    package var url: String {
        "\(scheme.rawValue)://\(authority.text(defaultPort: scheme.defaultPort))\(path == "*" ? "" : path)"
    }

    /// Whether it asks for a WebSocket (RFC 6455 §4.1, RFC 8441 §4).
    package var asksForWebSocket: Bool {
        fields.list("upgrade", contains: "websocket")
            || method == "CONNECT"
                && fields.indices.contains {
                    fields.isNamed(":protocol", at: $0)
                        && fields.value(at: $0).elementsEqual("websocket".utf8)
                }
    }

    /// A GET of `url` without fields; `nil` where that is no URL that can be asked for.
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
    /// - Returns: Whether it is a URL that can be asked for; else nothing is changed.
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
