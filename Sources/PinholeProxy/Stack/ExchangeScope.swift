import PinholeModel
import PinholeRules

/// The decision whether the open exchange belongs in the capture, as far as it is known.
struct ExchangeScope {
    /// Whether the exchange belongs in the capture; `nil` while that is not known.
    private(set) var isSelected: Bool? = true
    /// Whether a part of the exchange was recorded before the decision.
    private var leftTrace = false
    /// The law by which the exchange is judged since it began; `nil` if everything is recorded.
    private var law: CaptureLaw?

    /// Begins to judge an exchange.
    ///
    /// - Parameters:
    ///   - record: The record of the exchange.
    ///   - scope: The scope of the capture.
    ///   - flow: A function that returns the record of its flow.
    mutating func begin(_ record: ExchangeRecord, in scope: CaptureScope, flow: () -> FlowRecord) {
        self = ExchangeScope()
        guard scope.isNarrow else { return }
        let law = scope.law
        self.law = law
        isSelected = law.means(record, in: flow)
    }

    /// Judges the exchange again, because more is known about it.
    ///
    /// The flow of the exchange is considered again only at the end.
    mutating func judge(_ record: ExchangeRecord?) {
        guard let record else { return }
        isSelected = law?.means(record, in: { nil })
    }

    /// Removes new records of an exchange that does not belong in the capture.
    ///
    /// - Parameters:
    ///   - count: The number of events before.
    ///   - events: The list of records.
    mutating func sift(after count: Int, _ events: inout [FlowEvent]) {
        switch isSelected {
        case true?: break
        case false?: events.removeLast(max(0, events.count - count))
        case nil: leftTrace = leftTrace || events.count > count
        }
    }

    /// Records an exchange that has ended, or that it was left out.
    mutating func end(
        _ record: consuming ExchangeRecord,
        in scope: CaptureScope,
        flow: () -> FlowRecord,
        into events: inout [FlowEvent]
    ) {
        if isSelected == nil { isSelected = law?.means(record, in: flow) ?? false }
        if isSelected == true { return events.append(.exchange(consume record)) }
        scope.noteLeftOut()
        if leftTrace || !record.rules.isEmpty { events.append(.leftOut(record.id, record.rules)) }
    }
}
