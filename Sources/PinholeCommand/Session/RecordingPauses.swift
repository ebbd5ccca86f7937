import PinholeModel

/// When nothing was to be recorded, in numbers of exchanges and flows: they grow with time.
///
/// What began in a pause stays out of the capture, and what began before stays in, to its end: half an exchange
/// would be worse than none.
struct RecordingPauses {
    /// Pauses that are remembered; what began in an older one and still goes on is recorded from then on.
    private static let most = 64

    private var over: [ClosedRange<Int64>] = []
    private var current: Int64?

    /// Whether what begins now stays out.
    var isPaused: Bool { current != nil }

    /// Begins a pause with a number.
    mutating func begin(at id: Int64) { current = current ?? id }

    /// Ends the pause with a number.
    mutating func end(at id: Int64) {
        guard let first = current.take() else { return }
        over.append(first...max(first, id))
        if over.count > Self.most { over.removeFirst() }
    }

    /// Whether an event belongs into the capture.
    func keeps(_ event: FlowEvent) -> Bool {
        switch event {
        // A flow that began in a pause may have exchanges that belong into it.
        case .flow(let record): current.map { record.id.rawValue < $0 } ?? true
        case .clientProcess(let id, _): current.map { id.rawValue < $0 } ?? true
        case .exchange(let record): keeps(record.id)
        case .bodyPart(let id, _, _), .bodyPiece(let id, _, _, _), .webSocketPart(let id, _, _): keeps(id)
        case .webSocketMessage(let message): keeps(message.exchange)
        // What was recorded before the pause goes.
        case .leftOut: true
        }
    }

    private func keeps(_ id: ExchangeID) -> Bool {
        if let current, id.rawValue >= current { return false }
        return !over.contains { $0.contains(id.rawValue) }
    }
}
