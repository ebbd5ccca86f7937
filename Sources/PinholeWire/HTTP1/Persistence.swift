import PinholeModel

/// Whether a connection stays open after a message (RFC 9112 §9.3).
enum Persistence {
    /// Whether the version and Connection say that it does.
    ///
    /// Proxy-Connection says nothing: RFC 9112 appendix C.2.2.
    static func isKeepAlive(_ version: HTTPVersion, _ fields: HeaderFields) -> Bool {
        if fields.list("connection", contains: "close") { return false }
        return version == .http11 || fields.list("connection", contains: "keep-alive")
    }
}
