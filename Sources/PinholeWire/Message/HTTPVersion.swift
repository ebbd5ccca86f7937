/// The version of HTTP in which a message came, or goes out.
package enum HTTPVersion: Sendable, Equatable {
    /// HTTP/1.0: no chunked coding, no persistence unless asked for.
    case http10
    /// HTTP/1.1, and any later minor version, which must be understood as 1.1 (RFC 9110 §2.5).
    case http11
    /// HTTP/2 (RFC 9113).
    case http2

    /// The text of a start line.
    package var text: String {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        case .http2: "HTTP/2"
        }
    }
}
