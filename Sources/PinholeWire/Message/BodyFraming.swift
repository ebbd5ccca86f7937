/// How the end of a body is found (RFC 9112 §6.3).
///
/// A body of HTTP/2 without Content-Length is `chunked` here: its length is unknown, and trailers may follow.
package enum BodyFraming: Sendable, Equatable {
    /// There is no body.
    case none
    /// The body has this many bytes (Content-Length).
    case length(Int64)
    /// The body comes in chunks (Transfer-Encoding: chunked).
    case chunked
    /// The body of a response goes on until the server closes.
    case untilClose

    /// Whether at least one byte of body or of its framing follows the head, as far as the head tells.
    package var hasBody: Bool { self != .none && self != .length(0) }
}
