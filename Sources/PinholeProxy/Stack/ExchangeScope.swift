import PinholeModel
import PinholeRules

/// Whether the exchange under way belongs into the capture, as far as that is known.
struct ExchangeScope {
    /// Whether it does; `nil` while that is not known.
    private(set) var isMeant: Bool? = true
    /// Whether something of it was recorded before that was known.
    private var leftTrace = false
    /// The flow, where it matters; as it was when the exchange began.
    private var flow: Shared<FlowRecord>?

    /// An exchange begins.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - scope: What is recorded.
    ///   - flow: The flow that it belongs to.
    mutating func begin(_ record: ExchangeRecord, in scope: CaptureScope, flow: () -> FlowRecord) {
        self = ExchangeScope()
        guard scope.isNarrow else { return }
        if scope.asksForFlow { self.flow = Shared(flow()) }
        isMeant = scope.means(record, in: self.flow?.value)
    }

    /// More is known of it.
    mutating func judge(_ record: ExchangeRecord?, in scope: CaptureScope) {
        guard isMeant == nil, let record else { return }
        isMeant = scope.means(record, in: flow?.value)
    }

    /// Takes back what was recorded in vain.
    ///
    /// - Parameters:
    ///   - count: How many events there were before.
    ///   - events: What is recorded.
    mutating func sift(after count: Int, _ events: inout [FlowEvent]) {
        switch isMeant {
        case true?: break
        case false?: events.removeLast(max(0, events.count - count))
        case nil: leftTrace = leftTrace || events.count > count
        }
    }

    /// Records the exchange, which is over, or that it was left out.
    mutating func end(_ record: ExchangeRecord, in scope: CaptureScope, into events: inout [FlowEvent]) {
        judge(record, in: scope)
        if isMeant == true { return events.append(.exchange(record)) }
        scope.noteLeftOut()
        if leftTrace { events.append(.leftOut(record.id)) }
    }
}
