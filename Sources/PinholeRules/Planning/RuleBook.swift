package import PinholeModel
import Synchronization

/// The rules that count at this moment; every exchange asks anew, so that a change takes effect at once.
///
/// Tunnels of all loops share it. Judges, which remember, are lent from a pool: rules are asked outside of the lock.
package final class RuleBook: Sendable {
    private let pool: JudgePool<RuleSet, RuleJudge>
    /// Rules that are switched on and concern requests, responses, and messages of WebSockets; most proxies have none,
    /// and pay for nothing.
    private let requestCount: Atomic<Int>
    private let responseCount: Atomic<Int>
    private let messageCount: Atomic<Int>

    /// Creates a book.
    package init(_ set: RuleSet = RuleSet()) {
        pool = JudgePool(set, makeJudge: RuleJudge.init)
        requestCount = Atomic(set.requestCount)
        responseCount = Atomic(set.responseCount)
        messageCount = Atomic(set.messageCount)
    }

    /// The rules.
    package var rules: RuleSet { pool.law }

    /// Whether a rule is switched on that may mean a request.
    package var concernsRequests: Bool { requestCount.load(ordering: .relaxed) > 0 }

    /// Whether a rule is switched on that may mean a response.
    package var concernsResponses: Bool { responseCount.load(ordering: .relaxed) > 0 }

    /// Whether a rule is switched on that may mean a WebSocket's messages.
    package var concernsMessages: Bool { messageCount.load(ordering: .relaxed) > 0 }

    /// Whether no rule is switched on.
    package var isEmpty: Bool { !concernsRequests && !concernsResponses && !concernsMessages }

    /// Lets other rules count from now on.
    package func replace(with set: RuleSet) {
        pool.replace(with: set)
        requestCount.store(set.requestCount, ordering: .relaxed)
        responseCount.store(set.responseCount, ordering: .relaxed)
        messageCount.store(set.messageCount, ordering: .relaxed)
    }

    /// What rules want to be done with a request.
    ///
    /// - Parameters:
    ///   - request: The request as the client sent it.
    ///   - flow: The flow that it belongs to.
    /// - Returns: The plan; `nil` where no rule means it.
    package func plan(_ request: RuleRequest, flow: () -> FlowRecord?) -> RequestPlan? {
        pool.judging { $0.plan(request, flow: flow) }
    }

    /// What rules want to be done with a response.
    ///
    /// - Parameters:
    ///   - response: The response as the server sent it.
    ///   - request: The request as the client sent it.
    ///   - flow: The flow that it belongs to.
    /// - Returns: The plan; `nil` where no rule means it.
    package func plan(
        _ response: RuleResponse,
        to request: RuleRequest,
        flow: () -> FlowRecord?
    ) -> ResponsePlan? {
        pool.judging { $0.plan(response, to: request, flow: flow) }
    }

    /// How slow rules want a tunnel to be whose bytes are relayed unread.
    ///
    /// - Parameter flow: The tunnel, with the authority that was asked for.
    /// - Returns: How slow, and by which rule; `nil` for as fast as it goes.
    package func throttling(of flow: FlowRecord) -> (throttling: Throttling, hit: RuleHit)? {
        pool.judging { $0.throttling(of: flow) }
    }

    /// The rules for the messages of a WebSocket that is being opened.
    ///
    /// - Parameters:
    ///   - request: The request as the client sent it.
    ///   - response: The response that opens it.
    ///   - flow: The flow that it belongs to.
    /// - Returns: The rules, and what is noted of them; `nil` where none means it.
    package func messages(
        of request: RuleRequest,
        _ response: RuleResponse,
        flow: () -> FlowRecord?
    ) -> (rules: MessageRules, hits: [RuleHit])? {
        pool.judging { $0.messages(of: request, response, flow: flow) }
    }
}
