import PinholeModel

/// Detects whether a body is a stream, which is recorded piece by piece.
struct BodyPace {
    /// Whether the body is a stream: by its media type, or because it paused.
    private(set) var isStream = false
    private var last: Timestamp?

    /// Notes that the body is a stream by its media type.
    mutating func beginStream() { isStream = true }

    /// Notes that a piece has arrived.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - pause: The pause between two pieces that makes a body a stream.
    /// - Returns: Whether the body has just become a stream.
    mutating func notePiece(at now: Timestamp, pause: Duration) -> Bool {
        guard !isStream else { return false }
        if let last, now - last >= pause { isStream = true }
        last = now
        return isStream
    }
}
