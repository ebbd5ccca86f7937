import PinholeModel

/// Whether a connection stays open after a message (RFC 9112 §9.3).
enum Persistence {
    /// Whether version and Connection keep the connection open.
    ///
    /// Proxy-Connection is ignored (RFC 9112 appendix C.2.2).
    static func isKeepAlive(_ version: HTTPVersion, _ fields: HeaderFields) -> Bool {
        if fields.list("connection", contains: "close") { return false }
        return version == .http11 || fields.list("connection", contains: "keep-alive")
    }
}
