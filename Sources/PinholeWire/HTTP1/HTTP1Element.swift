package import PinholeModel

/// What a reader found next in the bytes of a peer.
package enum HTTP1Element: Sendable, Equatable {
    /// The head of a request; its bytes are consumed.
    case request(RequestHead)
    /// The head of a response; its bytes are consumed. After an interim one (1xx but 101) the next
    /// head follows without an `end`.
    case response(ResponseHead)
    /// The first bytes of the input, this many, belong to the body. The caller consumes them.
    case body(Int)
    /// The first bytes of the input, this many, are chunk framing: size lines, their extensions,
    /// the CRLF after data. The caller consumes them.
    case framing(Int)
    /// The trailer section after the last chunk: its lines as they came, without the empty line that
    /// ends it, and the same as fields. Its bytes, the empty line included, are consumed. Only
    /// delivered when there is a trailer field.
    case trailers([UInt8], HeaderFields)
    /// The message is complete.
    case end
}
