/// An element that a ``WebSocketReader`` found at the front of its input.
package enum WebSocketElement: Sendable, Equatable {
    /// The first ``WebSocketFrameHead/headerLength`` bytes are the header of a frame.
    ///
    /// For a control frame, the input contains the whole frame.
    case head(WebSocketFrameHead)
    /// The number of bytes at the front of the input that are payload of the frame.
    case payload(Int)
    /// The frame is over. This element has no bytes.
    case end
}
