/// The version that a message of HTTP/1 states (RFC 9112 §2.3).
package enum HTTPVersion: Sendable, Equatable {
    /// HTTP/1.0: no chunked coding, no persistence unless asked for.
    case http10
    /// HTTP/1.1, and any later minor version, which must be understood as 1.1 (RFC 9110 §2.5).
    case http11

    /// As it stands in a start line.
    package var text: String { self == .http10 ? "HTTP/1.0" : "HTTP/1.1" }
}
