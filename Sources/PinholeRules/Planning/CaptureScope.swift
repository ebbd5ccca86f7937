package import PinholeFilter
import PinholeLock
package import PinholeModel
import Synchronization

/// Decides which exchanges and flows are recorded.
///
/// Each one asks when it begins, so a change takes effect at once.
///
/// The tunnels of all loops share one scope.
package final class CaptureScope: Sendable {
    private let current: Lock<CaptureLaw>
    private let isLimited: Atomic<Bool>
    private let leftOutCount = Atomic<Int64>(0)

    /// Creates a scope.
    package init(_ filter: Filter = .everything) {
        current = Lock(CaptureLaw(filter))
        isLimited = Atomic(filter != .everything)
    }

    /// The filter for the exchanges and flows that are recorded.
    package var filter: Filter { law.filter }

    /// The current filter as a law.
    ///
    /// An exchange that begins now is judged by it until its end.
    package var law: CaptureLaw { current.withLock { $0 } }

    /// Whether the filter leaves anything out.
    ///
    /// Most proxies record everything and need no judgement.
    package var isNarrow: Bool { isLimited.load(ordering: .relaxed) }

    /// The number of exchanges that were left out.
    package var leftOut: Int64 { leftOutCount.load(ordering: .relaxed) }

    /// Uses another filter for exchanges that begin from now on.
    package func replace(with filter: Filter) {
        let law = CaptureLaw(filter)
        current.withLock { $0 = law }
        isLimited.store(filter != .everything, ordering: .relaxed)
    }

    /// Notes that an exchange was left out.
    package func noteLeftOut() { leftOutCount.add(1, ordering: .relaxed) }

    /// The reason why a filter cannot decide about recording; `nil` if it can.
    package static func problem(of filter: Filter) -> String? {
        guard let name = filter.root.unrecorded else { return nil }
        return
            "expected a filter of what is known when an exchange is recorded, found “\(name)”: \(reason(name))"
    }

    private static func reason(_ name: String) -> String {
        switch name {
        case "marked", "comment", "marker": "nobody has seen it by then"
        case "process", "pid": "the program is found out beside the traffic, sometimes after it"
        case "running": "what goes on is not recorded to its end yet"
        case "id", "flow": "numbers are given while it is recorded"
        default: "bodies are written as they pass, and not looked into"
        }
    }
}

/// Decides about recording with a fixed filter.
package final class CaptureLaw: Sendable {
    /// The largest part of each text that is examined, since the exchange waits for the decision.
    private static let textLimit = 64 << 10

    /// The filter for the exchanges and flows that are recorded.
    package let filter: Filter

    private let asksForFlow: Bool
    private let pool: JudgePool<Filter, FilterJudge>

    init(_ filter: Filter) {
        self.filter = filter
        asksForFlow = filter.asksForFlow
        pool = JudgePool(filter) { FilterJudge($0, textLimit: Self.textLimit) }
    }

    /// Whether an exchange is recorded.
    ///
    /// - Parameters:
    ///   - exchange: The current state of the exchange.
    ///   - flow: The current state of its flow; it is requested only if the filter needs it, since it is large.
    /// - Returns: Whether the exchange is recorded; `nil` if that cannot be decided yet.
    package func means(_ exchange: ExchangeRecord, in flow: () -> FlowRecord?) -> Bool? {
        var known = asksForFlow ? flow() : nil
        // The decision does not wait for the end of the flow: facts that are missing now count as absent.
        if exchange.outcome != nil, known?.outcome == nil { known?.outcome = Outcome(.completed, detail: "") }
        let truth = pool.judging { judge in
            var facts = CaptureFacts(exchange: exchange, flow: known)
            return judge.judge(&facts)
        }
        return truth == .open ? nil : truth == .yes
    }

    /// Whether a flow without exchanges is recorded.
    package func means(_ flow: FlowRecord) -> Bool {
        pool.judging { judge in
            var facts = RecordFacts(exchange: nil, flow: flow)
            return judge.judge(&facts) == .yes
        }
    }
}

/// The facts about an exchange while it is being recorded.
private struct CaptureFacts: FilterFacts {
    private let exchange: ExchangeRecord
    private let records: RecordFacts

    init(exchange: ExchangeRecord, flow: FlowRecord?) {
        self.exchange = exchange
        records = RecordFacts(exchange: exchange, flow: flow) { _, _ in TextFacts([], isComplete: false) }
    }

    func truth(of flag: FilterFlag) -> Truth {
        // A missing part may still come, and the filter means the complete exchange.
        if flag == .answered || flag == .unanswered, exchange.response == nil, exchange.outcome == nil {
            return .open
        }
        return records.truth(of: flag)
    }

    func texts(of field: TextField) -> TextFacts {
        var texts = records.texts(of: field)
        guard exchange.outcome == nil else { return texts }
        switch field {
        // Trailers are fields, too, and come last.
        case .headers(.request), .header(.request, _): texts.isComplete = exchange.request.body.isComplete
        case .headers, .header: texts.isComplete = false
        default: break
        }
        return texts
    }

    func number(of field: NumberField) -> NumberFact { records.number(of: field) }
}

extension FilterNode {
    /// A fact that the filter needs but that is unknown when an exchange is recorded; `nil` if there is none.
    fileprivate var unrecorded: String? {
        switch self {
        case .flag(let flag): flag == .marked || flag == .running ? flag.rawValue : nil
        case .number(let field, _, _): [.id, .flow, .pid].contains(field) ? field.name : nil
        case .text(let field, _):
            switch field {
            case .body, .graphQL, .comment, .marker, .process: field.name
            default: nil
            }
        case .not(let node): node.unrecorded
        case .and(let nodes), .or(let nodes): nodes.lazy.compactMap(\.unrecorded).first
        case .everything, .host: nil
        }
    }
}
