/// When a piece of a body was there.
package struct BodyArrival: Sendable, Equatable {
    /// Where the piece begins in the body as it came.
    package var offset: Int64
    /// When it was there.
    package var time: Timestamp

    /// Creates the arrival of a piece.
    package init(offset: Int64, time: Timestamp) {
        self.offset = offset
        self.time = time
    }
}
