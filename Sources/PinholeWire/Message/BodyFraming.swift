/// The way to find the end of a body (RFC 9112 §6.3).
///
/// An HTTP/2 body without Content-Length is `chunked` here: its length is unknown, and trailers may follow.
package enum BodyFraming: Sendable, Equatable {
    /// There is no body.
    case none
    /// The body has this number of bytes (Content-Length).
    case length(Int64)
    /// The body comes in chunks (Transfer-Encoding: chunked).
    case chunked
    /// The body of a response goes on until the server closes the connection.
    case untilClose

    /// Whether at least one byte of the body or its framing follows the head, as far as the head tells.
    package var hasBody: Bool { self != .none && self != .length(0) }
}
