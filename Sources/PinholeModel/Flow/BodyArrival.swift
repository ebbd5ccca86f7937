/// The time at which a piece of a body arrived.
package struct BodyArrival: Sendable, Equatable {
    /// The offset of the piece in the body as received, in bytes.
    package var offset: Int64
    /// The time at which the piece arrived.
    package var time: Timestamp

    /// Creates the arrival of a piece.
    package init(offset: Int64, time: Timestamp) {
        self.offset = offset
        self.time = time
    }
}
