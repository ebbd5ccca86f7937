import PinholeModel
import PinholeRules

/// Whether the exchange under way belongs into the capture, as far as that is known.
struct ExchangeScope {
    /// Whether it does; `nil` while that is not known.
    private(set) var isMeant: Bool? = true
    /// Whether something of it was recorded before that was known.
    private var leftTrace = false
    /// What it is judged by, since it began; `nil` where everything is recorded.
    private var law: CaptureLaw?

    /// An exchange begins.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - scope: What is recorded.
    ///   - flow: The flow that it belongs to.
    mutating func begin(_ record: ExchangeRecord, in scope: CaptureScope, flow: () -> FlowRecord) {
        self = ExchangeScope()
        guard scope.isNarrow else { return }
        let law = scope.law
        self.law = law
        isMeant = law.means(record, in: flow)
    }

    /// More is known of it; the flow is asked again at its end.
    mutating func judge(_ record: ExchangeRecord?) {
        guard isMeant == nil, let record else { return }
        isMeant = law?.means(record, in: { nil })
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
    mutating func end(
        _ record: ExchangeRecord,
        in scope: CaptureScope,
        flow: () -> FlowRecord,
        into events: inout [FlowEvent]
    ) {
        if isMeant == nil { isMeant = law?.means(record, in: flow) ?? false }
        if isMeant == true { return events.append(.exchange(record)) }
        scope.noteLeftOut()
        if leftTrace || !record.rules.isEmpty { events.append(.leftOut(record.id, record.rules)) }
    }
}
