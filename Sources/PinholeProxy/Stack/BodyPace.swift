import PinholeModel

/// How the pieces of a body follow each other: whether it is a stream, which is recorded piece by piece.
struct BodyPace {
    /// Whether it is one: by its type, or since it paused.
    private(set) var isStream = false
    private var last: Timestamp?

    /// Says that it is a stream by its type.
    mutating func beginStream() { isStream = true }

    /// Notes that a piece is there.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - pause: What makes a body a stream when it lies between two pieces.
    /// - Returns: Whether the body has just become a stream.
    mutating func notePiece(at now: Timestamp, pause: Duration) -> Bool {
        guard !isStream else { return false }
        if let last, now - last >= pause { isStream = true }
        last = now
        return isStream
    }
}
