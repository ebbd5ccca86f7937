import PinholeFilter
import PinholeModel

/// Asks the rules of one set, one exchange after the other.
///
/// It remembers what it learnt about expressions and hosts, so one that was used before is quicker.
struct RuleJudge: Sendable {
    private struct Entry {
        let rule: Rule
        var judge: FilterJudge
    }

    /// Somebody waits: of each text no more is looked at.
    private static let textLimit = 64 << 10

    private var requestEntries: [Entry] = []
    private var responseEntries: [Entry] = []
    private var messageEntries: [Entry] = []
    /// Whether the flow matters; it is large.
    private let asksForFlow: Bool

    init(_ set: RuleSet) {
        asksForFlow = set.enabled.contains { $0.filter.asksForFlow }
        for rule in set.enabled {
            let entry = Entry(rule: rule, judge: FilterJudge(rule.filter, textLimit: Self.textLimit))
            if rule.action.kind.changesMessages {
                messageEntries.append(entry)
                continue
            }
            if rule.action.changesRequest { requestEntries.append(entry) }
            if rule.action.changesResponse { responseEntries.append(entry) }
        }
    }

    /// What rules want to be done with a request; `nil` where no rule means it.
    mutating func plan(_ request: RuleRequest, flow: () -> FlowRecord?) -> RequestPlan? {
        guard !requestEntries.isEmpty else { return nil }
        var facts = RuleFacts(request, nil, flow: asksForFlow ? flow() : nil)
        var plan: RequestPlan?
        for index in requestEntries.indices where requestEntries[index].judge.judge(&facts) == .yes {
            var current = plan ?? RequestPlan(request: request)
            current.apply(requestEntries[index].rule)
            plan = current
            if current.ending != nil { break }
        }
        return plan
    }

    /// The rules for messages that mean a WebSocket; `nil` where none does.
    mutating func messages(
        of request: RuleRequest,
        _ response: RuleResponse,
        flow: () -> FlowRecord?
    ) -> (MessageRules, [RuleHit])? {
        guard !messageEntries.isEmpty else { return nil }
        var facts = RuleFacts(request, response, flow: asksForFlow ? flow() : nil)
        var rules: [Rule] = []
        for index in messageEntries.indices where messageEntries[index].judge.judge(&facts) == .yes {
            rules.append(messageEntries[index].rule)
        }
        guard !rules.isEmpty else { return nil }
        let hits = rules.map { rule in
            RuleHit(
                rule: rule.name,
                kind: rule.action.kind.rawValue,
                effect: "looks at the messages of the WebSocket"
            )
        }
        return (MessageRules(rules), hits)
    }

    /// How slow rules want a tunnel to be that is not decrypted, and which; `nil` for as fast as it goes.
    mutating func throttling(of flow: FlowRecord) -> (Throttling, RuleHit)? {
        var facts = RecordFacts(exchange: nil, flow: flow)
        var found: (Throttling, RuleHit)?
        for index in requestEntries.indices {
            let rule = requestEntries[index].rule
            guard case .throttle(let throttling) = rule.action,
                requestEntries[index].judge.judge(&facts) == .yes
            else { continue }
            let effect = "throttled: \(throttling.summary)"
            found = (throttling, RuleHit(rule: rule.name, kind: rule.action.kind.rawValue, effect: effect))
        }
        return found
    }

    /// What rules want to be done with a response; `nil` where no rule means it.
    mutating func plan(
        _ response: RuleResponse,
        to request: RuleRequest,
        flow: () -> FlowRecord?
    ) -> ResponsePlan? {
        guard !responseEntries.isEmpty else { return nil }
        var facts = RuleFacts(request, response, flow: asksForFlow ? flow() : nil)
        var plan: ResponsePlan?
        for index in responseEntries.indices where responseEntries[index].judge.judge(&facts) == .yes {
            var current = plan ?? ResponsePlan(response: response)
            current.apply(responseEntries[index].rule)
            plan = current
        }
        return plan
    }
}
