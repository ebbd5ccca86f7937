package import PinholeFilter
import PinholeLock
package import PinholeModel
import Synchronization

/// Which exchanges and flows are recorded; each asks when it begins, so that a change takes effect at once.
///
/// Tunnels of all loops share it.
package final class CaptureScope: Sendable {
    private let current: Lock<CaptureLaw>
    private let isLimited: Atomic<Bool>
    private let leftOutCount = Atomic<Int64>(0)

    /// Creates a scope.
    package init(_ filter: Filter = .everything) {
        current = Lock(CaptureLaw(filter))
        isLimited = Atomic(filter != .everything)
    }

    /// What is recorded.
    package var filter: Filter { law.filter }

    /// What an exchange that begins now is judged by, to its end.
    package var law: CaptureLaw { current.withLock { $0 } }

    /// Whether anything is left out; most proxies record everything, and pay for nothing.
    package var isNarrow: Bool { isLimited.load(ordering: .relaxed) }

    /// How many exchanges were left out.
    package var leftOut: Int64 { leftOutCount.load(ordering: .relaxed) }

    /// Lets something else be recorded of what begins from now on.
    package func replace(with filter: Filter) {
        let law = CaptureLaw(filter)
        current.withLock { $0 = law }
        isLimited.store(filter != .everything, ordering: .relaxed)
    }

    /// Notes that an exchange was left out.
    package func noteLeftOut() { leftOutCount.add(1, ordering: .relaxed) }

    /// Why a filter cannot decide what is recorded; `nil` where it can.
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

/// What decides at a moment which exchanges and flows are recorded.
package final class CaptureLaw: Sendable {
    /// Somebody waits: of each text no more is looked at.
    private static let textLimit = 64 << 10

    /// What is recorded.
    package let filter: Filter

    private let asksForFlow: Bool
    private let pool: JudgePool<Filter, FilterJudge>

    init(_ filter: Filter) {
        self.filter = filter
        asksForFlow = filter.asksForFlow
        pool = JudgePool(filter) { FilterJudge($0, textLimit: Self.textLimit) }
    }

    /// Whether an exchange is to be recorded.
    ///
    /// - Parameters:
    ///   - exchange: The exchange as it stands.
    ///   - flow: The flow that it belongs to, as it stands; asked for where it matters, since it is large.
    /// - Returns: Whether it is; `nil` while that is not known.
    package func means(_ exchange: ExchangeRecord, in flow: () -> FlowRecord?) -> Bool? {
        var known = asksForFlow ? flow() : nil
        // Nobody waits for the end of the flow: what it does not tell by now counts as not being there.
        if exchange.outcome != nil, known?.outcome == nil { known?.outcome = Outcome(.completed, detail: "") }
        let truth = pool.judging { judge in
            var facts = CaptureFacts(exchange: exchange, flow: known)
            return judge.judge(&facts)
        }
        return truth == .open ? nil : truth == .yes
    }

    /// Whether a flow is to be recorded that has no exchange.
    package func means(_ flow: FlowRecord) -> Bool {
        pool.judging { judge in
            var facts = RecordFacts(exchange: nil, flow: flow)
            return judge.judge(&facts) == .yes
        }
    }
}

/// What is known of an exchange while it is being recorded.
private struct CaptureFacts: FilterFacts {
    private let exchange: ExchangeRecord
    private let records: RecordFacts

    init(exchange: ExchangeRecord, flow: FlowRecord?) {
        self.exchange = exchange
        records = RecordFacts(exchange: exchange, flow: flow) { _, _ in TextFacts([], isComplete: false) }
    }

    func truth(of flag: FilterFlag) -> Truth {
        // What is not there yet may come: the exchange as it will be is meant.
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
    /// What it asks for that is not known when an exchange is recorded; `nil` for nothing.
    fileprivate var unrecorded: String? {
        switch self {
        case .flag(let flag): flag == .marked || flag == .running ? flag.rawValue : nil
        case .number(let field, _, _): [.id, .flow, .pid].contains(field) ? field.rawValue : nil
        case .text(let field, _):
            switch field {
            case .body, .comment, .marker, .process: field.name
            default: nil
            }
        case .not(let node): node.unrecorded
        case .and(let nodes), .or(let nodes): nodes.lazy.compactMap(\.unrecorded).first
        case .everything, .host: nil
        }
    }
}
