/// Lets so many notices pass in a time and counts the others, so that a program that floods cannot flood the log.
struct NoticeGate {
    private static let most = 20
    private static let window = Duration.seconds(10)

    private var begin: ContinuousClock.Instant
    private var count = 0
    private var leftOut = 0

    init(at now: ContinuousClock.Instant) { begin = now }

    /// Asks for one notice.
    ///
    /// - Parameter now: The time.
    /// - Returns: `nil` where it is to be left out; else how many were before it.
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
