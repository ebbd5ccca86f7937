import PinholeModel

/// The pauses of recording, as ranges of the numbers of exchanges and flows, which grow with time.
///
/// An exchange or flow that began in a pause is not recorded, and one that began before is recorded to its end, since
/// half an exchange would be worse than none.
struct RecordingPauses {
    /// The maximum count of remembered pauses; traffic that began in an older one is recorded from then on.
    private static let most = 64

    private var over: [ClosedRange<Int64>] = []
    private var current: Int64?

    /// Whether new exchanges and flows are not recorded.
    var isPaused: Bool { current != nil }

    /// Begins a pause at the number `id`.
    mutating func begin(at id: Int64) { current = current ?? id }

    /// Ends the pause at the number `id`.
    mutating func end(at id: Int64) {
        guard let first = current.take() else { return }
        over.append(first...max(first, id))
        if over.count > Self.most { over.removeFirst() }
    }

    /// Returns whether an event is recorded.
    func keeps(_ event: FlowEvent) -> Bool {
        switch event {
        // A flow that began in a pause may have exchanges that are recorded.
        case .flow(let record): current.map { record.id.rawValue < $0 } ?? true
        case .clientProcess(let id, _): current.map { id.rawValue < $0 } ?? true
        case .exchange(let record): keeps(record.id)
        case .bodyPart(let id, _, _), .bodyPiece(let id, _, _, _), .webSocketPart(let id, _, _): keeps(id)
        case .webSocketMessage(let message): keeps(message.exchange)
        // Exchanges that were recorded before the pause are removed.
        case .leftOut, .packet, .secret: true
        }
    }

    private func keeps(_ id: ExchangeID) -> Bool {
        if let current, id.rawValue >= current { return false }
        return !over.contains { $0.contains(id.rawValue) }
    }
}
