/// What a ``WebSocketReader`` found at the front of its input.
package enum WebSocketElement: Sendable, Equatable {
    /// The first ``WebSocketFrameHead/headerLength`` bytes are the header of a frame.
    ///
    /// A control frame is there to its last byte.
    case head(WebSocketFrameHead)
    /// The first bytes, so many, are payload of the frame.
    case payload(Int)
    /// The frame is over; no byte belongs to this.
    case end
}
