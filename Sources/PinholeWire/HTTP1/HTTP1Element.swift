package import PinholeModel

/// An element that a reader found at the front of a peer's bytes.
///
/// Rare elements are stored apart, so that an element is one word.
package enum HTTP1Element: Sendable, Equatable {
    /// The head of a request. The reader has consumed its bytes.
    case request(RequestHead)
    /// The head of a response. The reader has consumed its bytes. After an interim response (1xx except 101),
    /// the next head follows without an `end`.
    case response(ResponseHead)
    /// The number of bytes at the front of the input that belong to the body. The caller consumes them.
    case body(Int)
    /// The number of bytes at the front of the input that are chunk framing: size lines, their extensions,
    /// the CRLF after data. The caller consumes them.
    case framing(Int)
    /// As ``framing(_:)``, but with the framing to send on in place of these bytes, because they contain extensions or
    /// are malformed. A chunk extension is meant for one connection only (RFC 9112 §7.1.1).
    indirect case reframed(Int, [UInt8])
    /// The trailer section after the last chunk: its lines as received, without the final empty line, and its
    /// fields. The reader has consumed its bytes, including the empty line. Without a trailer field, this
    /// element is left out.
    indirect case trailers([UInt8], HeaderFields)
    /// The message is complete.
    case end
}
