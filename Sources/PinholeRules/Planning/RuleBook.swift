package import PinholeModel
import Synchronization

/// The current rules.
///
/// Every exchange asks again, so a change takes effect at once.
///
/// The tunnels of all loops share one book. Judges have caches and are lent from a pool, so rules are
/// evaluated outside of the lock.
package final class RuleBook: Sendable {
    private let pool: JudgePool<RuleSet, RuleJudge>
    /// The numbers of enabled rules for requests, responses, and WebSocket messages.
    ///
    /// Most proxies have no rules, and these numbers let them skip the evaluation.
    private let requestCount: Atomic<Int>
    private let responseCount: Atomic<Int>
    private let messageCount: Atomic<Int>
    private let operations: Atomic<Bool>

    /// Creates a book.
    package init(_ set: RuleSet = RuleSet()) {
        pool = JudgePool(set, makeJudge: RuleJudge.init)
        requestCount = Atomic(set.requestCount)
        responseCount = Atomic(set.responseCount)
        messageCount = Atomic(set.messageCount)
        operations = Atomic(set.asksForOperations)
    }

    /// The rules that are in force now.
    package var rules: RuleSet { pool.law }

    /// Whether an enabled rule may match a request.
    package var concernsRequests: Bool { requestCount.load(ordering: .relaxed) > 0 }

    /// Whether an enabled rule may match a response.
    package var concernsResponses: Bool { responseCount.load(ordering: .relaxed) > 0 }

    /// Whether an enabled rule may match messages of a WebSocket.
    package var concernsMessages: Bool { messageCount.load(ordering: .relaxed) > 0 }

    /// Whether the filter of an enabled rule needs the operations of GraphQL.
    package var asksForOperations: Bool { operations.load(ordering: .relaxed) }

    /// Whether no rule is enabled.
    package var isEmpty: Bool { !concernsRequests && !concernsResponses && !concernsMessages }

    /// Replaces the rules for later evaluations.
    package func replace(with set: RuleSet) {
        pool.replace(with: set)
        requestCount.store(set.requestCount, ordering: .relaxed)
        responseCount.store(set.responseCount, ordering: .relaxed)
        messageCount.store(set.messageCount, ordering: .relaxed)
        operations.store(set.asksForOperations, ordering: .relaxed)
    }

    /// Returns a task for each rule that may match a request once its operations of GraphQL are known.
    ///
    /// - Parameters:
    ///   - request: The request as received from the client.
    ///   - flow: Returns the flow of the request.
    /// - Returns: The tasks; empty if the rules can judge the request now.
    package func waiting(for request: RuleRequest, flow: () -> FlowRecord?) -> [MessageTask] {
        pool.judging { $0.waiting(for: request, flow: flow) }
    }

    /// Evaluates the rules for a request.
    ///
    /// - Parameters:
    ///   - request: The request as received from the client.
    ///   - flow: Returns the flow of the request.
    /// - Returns: The plan; `nil` if no rule matches.
    package func plan(_ request: RuleRequest, flow: () -> FlowRecord?) -> RequestPlan? {
        pool.judging { $0.plan(request, flow: flow) }
    }

    /// Evaluates the rules for a response.
    ///
    /// - Parameters:
    ///   - response: The response as received from the server.
    ///   - request: The request as received from the client.
    ///   - earlier: The plan for the request; `nil` if no rule matched it.
    ///   - flow: Returns the flow of the request.
    /// - Returns: The plan; `nil` if no rule matches.
    package func plan(
        _ response: RuleResponse,
        to request: RuleRequest,
        after earlier: RequestPlan? = nil,
        flow: () -> FlowRecord?
    ) -> ResponsePlan? {
        pool.judging { $0.plan(response, to: request, after: earlier, flow: flow) }
    }

    /// Whether a rule may answer some request to a host in the server's place.
    package func mayAnswer(at host: Host) -> Bool { pool.judging { $0.mayAnswer(at: host) } }

    /// Returns the actions on the bytes of a tunnel that is relayed without decryption.
    ///
    /// - Parameter flow: The tunnel, with the requested authority.
    /// - Returns: The actions, with the records of their rules.
    package func byteActions(of flow: FlowRecord) -> [(action: RuleAction, hit: RuleHit)] {
        pool.judging { $0.byteActions(of: flow) }
    }

    /// Returns the rules for the messages of a WebSocket that is being opened.
    ///
    /// - Parameters:
    ///   - request: The request as received from the client.
    ///   - response: The response that opens the WebSocket.
    ///   - flow: Returns the flow of the request.
    /// - Returns: The rules and the records of them; `nil` if no rule matches.
    package func messages(
        of request: RuleRequest,
        _ response: RuleResponse,
        flow: () -> FlowRecord?
    ) -> (rules: MessageRules, hits: [RuleHit])? {
        pool.judging { $0.messages(of: request, response, flow: flow) }
    }
}
