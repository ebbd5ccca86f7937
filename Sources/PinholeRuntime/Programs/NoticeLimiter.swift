/// Limits the number of notices in a period and counts the rest, so that a program cannot flood the log.
struct NoticeLimiter {
    private static let most = 20
    private static let window = Duration.seconds(10)

    private var begin: ContinuousClock.Instant
    private var count = 0
    private var leftOut = 0

    init(at now: ContinuousClock.Instant) { begin = now }

    /// Requests the output of one notice.
    ///
    /// - Returns: The number of notices that were left out before it; `nil` to leave this one out, too.
    mutating func admit(at now: ContinuousClock.Instant) -> Int? {
        if begin.duration(to: now) >= Self.window {
            begin = now
            count = 0
        }
        guard count < Self.most else {
            leftOut += 1
            return nil
        }
        count += 1
        defer { leftOut = 0 }
        return leftOut
    }
}
