import PinholeModel

/// What an answer was like: the recorded one, or that of now.
struct ReplayAnswer: Sendable, Equatable {
    /// The status.
    let status: Int
    /// Bytes of the body, as they were sent.
    let length: Int64
    /// From when the connection stood to the last byte.
    let duration: Duration

    /// Creates an answer.
    init(status: Int, length: Int64, duration: Duration) {
        self.status = status
        self.length = length
        self.duration = duration
    }

    /// What was recorded; `nil` where no answer came.
    init?(_ record: ExchangeRecord) {
        guard let status = record.status else { return nil }
        let timings = record.timings
        let whole = timings.ended.map { $0 - timings.started } ?? .zero
        let opening = [timings.blocked, timings.resolve, timings.connect, timings.tls].compactMap(\.self)
        self.init(
            status: status,
            length: record.response?.body.length ?? 0,
            duration: max(.zero, whole - opening.reduce(.zero, +))
        )
    }
}
