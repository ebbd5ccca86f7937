import PinholeModel

/// The facts about an answer that are compared: of the recorded one, or of the new one.
struct ReplayAnswer: Sendable, Equatable {
    /// The status code of the answer.
    let status: Int
    /// The number of bytes of the body, as sent.
    let length: Int64
    /// The time from the established connection to the last byte.
    let duration: Duration

    init(status: Int, length: Int64, duration: Duration) {
        self.status = status
        self.length = length
        self.duration = duration
    }

    /// Takes the recorded answer of an exchange; `nil` if no answer came.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - flow: The flow of the exchange, if it is still there: it says whether the connection stood before.
    init?(_ record: ExchangeRecord, of flow: FlowRecord?) {
        guard let status = record.status else { return nil }
        let timings = record.timings
        let whole = timings.ended.map { $0 - timings.started } ?? .zero
        let setUp = [timings.resolve, timings.connect, timings.tls].compactMap(\.self).reduce(.zero, +)
        // Both handshakes of an intercepted connection are over before its first request comes.
        let waited = (timings.blocked ?? .zero) + (timings.setUpBefore(flow) == nil ? setUp : .zero)
        self.init(
            status: status,
            length: record.response?.body.length ?? 0,
            duration: max(.zero, whole - waited)
        )
    }
}
