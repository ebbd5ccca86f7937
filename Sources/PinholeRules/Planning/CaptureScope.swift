package import PinholeFilter
package import PinholeModel
import Synchronization

/// Which exchanges and flows are recorded; each asks anew, so that a change takes effect at once.
///
/// Tunnels of all loops share it.
package final class CaptureScope: Sendable {
    /// Somebody waits: of each text no more is looked at.
    private static let textLimit = 64 << 10

    private let pool: JudgePool<Filter, FilterJudge>
    private let isLimited: Atomic<Bool>
    private let leftOutCount = Atomic<Int64>(0)

    /// Creates a scope.
    package init(_ filter: Filter = .everything) {
        pool = JudgePool(filter) { FilterJudge($0, textLimit: Self.textLimit) }
        isLimited = Atomic(filter != .everything)
    }

    /// What is recorded.
    package var filter: Filter { pool.law }

    /// Whether anything is left out; most proxies record everything, and pay for nothing.
    package var isNarrow: Bool { isLimited.load(ordering: .relaxed) }

    /// How many exchanges were left out.
    package var leftOut: Int64 { leftOutCount.load(ordering: .relaxed) }

    /// Lets something else be recorded of what begins from now on.
    package func replace(with filter: Filter) {
        pool.replace(with: filter)
        isLimited.store(filter != .everything, ordering: .relaxed)
    }

    /// Notes that an exchange was left out.
    package func noteLeftOut() { leftOutCount.add(1, ordering: .relaxed) }

    /// Whether a fact of the flow decides; it is large.
    package var asksForFlow: Bool { filter.asksForFlow }

    /// Whether an exchange is to be recorded.
    ///
    /// - Parameters:
    ///   - exchange: The exchange as it stands.
    ///   - flow: The flow that it belongs to.
    /// - Returns: Whether it is; `nil` while that is not known.
    package func means(_ exchange: ExchangeRecord, in flow: FlowRecord?) -> Bool? {
        let truth = pool.judging { judge in
            var facts = CaptureFacts(exchange: exchange, flow: flow)
            return judge.judge(&facts)
        }
        return truth == .open ? nil : truth == .yes
    }

    /// Whether a flow is to be recorded even if none of its exchanges is.
    package func means(_ flow: FlowRecord) -> Bool {
        pool.judging { judge in
            var facts = RecordFacts(exchange: nil, flow: flow)
            return judge.judge(&facts) == .yes
        }
    }

    /// Why a filter cannot decide what is recorded; `nil` where it can.
    package static func problem(of filter: Filter) -> String? {
        guard let name = filter.root.unrecorded else { return nil }
        return
            "expected a filter of what is known when an exchange is recorded, found “\(name)”: \(reason(name))"
    }

    private static func reason(_ name: String) -> String {
        switch name {
        case "marked", "comment", "marker": "nobody has seen it by then"
        case "running": "what goes on is not recorded to its end yet"
        case "id", "flow": "numbers are given while it is recorded"
        default: "bodies are written as they pass, and not looked into"
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

    func texts(of field: TextField) -> TextFacts { records.texts(of: field) }

    func number(of field: NumberField) -> NumberFact { records.number(of: field) }
}

extension FilterNode {
    /// What it asks for that is not known when an exchange is recorded; `nil` for nothing.
    fileprivate var unrecorded: String? {
        switch self {
        case .flag(let flag): flag == .marked || flag == .running ? flag.rawValue : nil
        case .number(let field, _, _): field == .id || field == .flow ? field.rawValue : nil
        case .text(let field, _):
            switch field {
            case .body, .comment, .marker: field.name
            default: nil
            }
        case .not(let node): node.unrecorded
        case .and(let nodes), .or(let nodes): nodes.lazy.compactMap(\.unrecorded).first
        case .everything, .host: nil
        }
    }
}
