import PinholeFilter
import PinholeModel

/// Evaluates the rules of one set for one exchange after another.
///
/// The judge caches results for expressions and hosts, so later evaluations are faster.
struct RuleJudge: Sendable {
    private struct Entry {
        let rule: Rule
        var judge: FilterJudge

        init(_ rule: Rule) {
            self.rule = rule
            judge = FilterJudge(rule.filter, textLimit: RuleJudge.textLimit)
        }
    }

    /// The largest part of each text that is examined, since the exchange waits for the rules.
    private static let textLimit = 64 << 10

    private var requestEntries: [Entry] = []
    /// The conditions of ``requestEntries``, beside them, because an entry is large and most conditions do not hold.
    private var requestConditions: [RequestCondition] = []
    private var responseEntries: [Entry] = []
    private var responseConditions: [RequestCondition] = []
    private var messageEntries: [Entry] = []
    /// Whether a filter needs the flow, which is large.
    private let asksForFlow: Bool

    init(_ set: RuleSet) {
        asksForFlow = set.enabled.contains { $0.filter.asksForFlow }
        for rule in set.enabled {
            let entry = Entry(rule)
            if rule.action.kind.changesMessages {
                messageEntries.append(entry)
                continue
            }
            let condition = RequestCondition(rule.filter.root)
            if rule.action.changesRequest {
                requestEntries.append(entry)
                requestConditions.append(condition)
            }
            if rule.action.changesResponse {
                responseEntries.append(entry)
                responseConditions.append(condition)
            }
        }
    }

    /// Returns the position of the first condition that may hold; `nil` if none does, so that no rule matches.
    private static func first(of conditions: [RequestCondition], for words: RequestWords) -> Int? {
        conditions.firstIndex { $0.mayHold(for: words) }
    }

    /// Evaluates the rules for a request; `nil` if no rule matches.
    mutating func plan(_ request: RuleRequest, flow: () -> FlowRecord?) -> RequestPlan? {
        let words = RequestWords(request)
        guard let first = Self.first(of: requestConditions, for: words) else { return nil }
        var facts = RuleFacts(request, nil, flow: asksForFlow ? flow() : nil)
        var plan: RequestPlan?
        for index in first..<requestEntries.count
        where requestConditions[index].mayHold(for: words)
            && requestEntries[index].judge.judge(&facts) == .yes
        {
            let rule = requestEntries[index].rule
            var current = plan ?? RequestPlan(request: request)
            let acts = rule.actsOnMatch()
            if let chance = rule.chance { current.draws.append(RequestPlan.Draw(chance: chance, acts: acts)) }
            if acts { current.apply(rule) }
            plan = current
            if current.ending != nil { break }
        }
        return plan
    }

    /// A task for each rule that may match the request once its operations of GraphQL are known.
    mutating func waiting(for request: RuleRequest, flow: () -> FlowRecord?) -> [MessageTask] {
        var facts = RuleFacts(request, nil, flow: asksForFlow ? flow() : nil)
        var tasks: [MessageTask] = []
        func note(_ entry: inout Entry) {
            guard entry.rule.filter.asksForOperations, entry.judge.judge(&facts) == .open else { return }
            let kind = entry.rule.action.kind
            tasks.append(MessageTask(rule: entry.rule.name, kind: kind, work: .operations))
        }
        for index in requestEntries.indices { note(&requestEntries[index]) }
        // A rule that acts on both messages stands in both lists.
        for index in responseEntries.indices where !responseEntries[index].rule.action.changesRequest {
            note(&responseEntries[index])
        }
        return tasks
    }

    /// The message rules that match a WebSocket; `nil` if there are none.
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

    /// Whether a rule may answer some request to a host in the server's place.
    func mayAnswer(at host: Host) -> Bool {
        zip(requestEntries, requestConditions).contains { entry, condition in
            entry.rule.action.kind.answers && condition.mayHold(atHost: host.description)
        }
    }

    /// The actions on the bytes of a tunnel that is not decrypted, the last of each kind, with their rules.
    mutating func byteActions(of flow: FlowRecord) -> [(RuleAction, RuleHit)] {
        var facts = RecordFacts(exchange: nil, flow: flow)
        var found: [(RuleAction, RuleHit)] = []
        for index in requestEntries.indices {
            let rule = requestEntries[index].rule
            guard let effect = rule.action.byteEffect, requestEntries[index].judge.judge(&facts) == .yes,
                rule.actsOnMatch()
            else { continue }
            let kind = rule.action.kind
            found.removeAll { $0.0.kind == kind }
            found.append((rule.action, RuleHit(rule: rule.name, kind: kind.rawValue, effect: effect)))
        }
        return found
    }

    /// Evaluates the rules for a response; `nil` if no rule matches.
    mutating func plan(
        _ response: RuleResponse,
        to request: RuleRequest,
        after earlier: RequestPlan?,
        flow: () -> FlowRecord?
    ) -> ResponsePlan? {
        let words = RequestWords(request)
        guard let first = Self.first(of: responseConditions, for: words) else { return nil }
        var facts = RuleFacts(request, response, flow: asksForFlow ? flow() : nil)
        var plan: ResponsePlan?
        for index in first..<responseEntries.count
        where responseConditions[index].mayHold(for: words)
            && responseEntries[index].judge.judge(&facts) == .yes
        {
            let rule = responseEntries[index].rule
            let draw = earlier?.draws.first { $0.chance === rule.chance }
            guard draw?.acts ?? rule.actsOnMatch() else { continue }
            var current = plan ?? ResponsePlan(response: response)
            current.apply(rule)
            plan = current
        }
        return plan
    }
}
