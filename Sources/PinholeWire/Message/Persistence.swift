import PinholeModel

/// Whether a connection stays open after a message (RFC 9112 §9.3).
enum Persistence {
    /// Whether version and Connection keep the connection open.
    ///
    /// Proxy-Connection is ignored (RFC 9112 appendix C.2.2).
    static func isKeepAlive(_ version: HTTPVersion, _ fields: HeaderFields) -> Bool {
        let options = ConnectionOptions(of: fields)
        return !options.closes && (version == .http11 || options.keepsAlive)
    }
}
