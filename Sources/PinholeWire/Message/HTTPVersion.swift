/// The version of HTTP of a message.
package enum HTTPVersion: Sendable, Equatable {
    /// HTTP/1.0, which has no chunked coding and closes connections unless asked otherwise.
    case http10
    /// HTTP/1.1, and any later minor version, which must be read as 1.1 (RFC 9110 §2.5).
    case http11
    /// HTTP/2 (RFC 9113).
    case http2

    /// The text in a start line.
    package var text: String {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        case .http2: "HTTP/2"
        }
    }
}
