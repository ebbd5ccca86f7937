import PinholeModel
import PinholeRules
import PinholeWire

/// The machine of one request and its response.
///
/// The machine decides which rules act on both messages, whether they are held, when the proxy answers instead of the
/// server, and when both are complete. It does not know which version of HTTP a side speaks, nor which connections
/// carry the exchange. ``Conversation`` finds a connection to the server, and ends exchanges in the way of the
/// client's version. Each function returns an ``ExchangeStep``: the work that the conversation has to do next.
///
/// ```
/// admitted ─► ruled ─┬─► asked ◄── gathering         by rule, judge, follow, holdRequest, requestHeld
///             ▲      │     └─► decided               by decided
///             └──────┼───────────┘
///                    ├─► answered, or cut            by beginAnswer; the step says which
///                    └─► sent ─► response ─► passed  by received, pass
///                                  ├─► asked ◄── gathering ─► passed, replaced, answered or cut
///                                  │                 by hold, responseHeld, decided
///                                  └─► complete      by responseEnded and requestEnded
/// ```
///
/// Invariants:
///  1. A message has one question at most. A decision that comes without a question is ignored.
///  2. A held message goes on, or its exchange ends: nothing stays held after its decision, its time-out or its loss.
///  3. A rule that must act (`isRequired`) and cannot ends the exchange.
struct ExchangeMachine: ~Copyable {
    /// Facts that only few exchanges have.
    private final class Rare {
        var framing: BodyFraming?
        var answering: String?
        var unverified: String?
        var user: String?
        var ruling: Ruling?
        var held: Holding?
        var priority: [UInt8]?
    }

    /// The work of rules on an exchange.
    struct Ruling: Sendable, Equatable {
        /// The request as the client sent it.
        var original: RuleRequest
        /// The rest of the plan, whose steps are removed when they are taken.
        var plan: RequestPlan
        /// The facts with which the rules judge the request, after it was gathered; `nil` if they have judged it.
        var unjudged: Unjudged?
        /// The result of gathering the request; `nil` if it was not gathered.
        var gathered: HeldEnd?
        /// Whether a question about the exchange is open.
        var isAsked = false
        /// Whether the answer may take a long time.
        var isWaiting = false
    }

    /// A request of which the rules must know more than its head.
    struct Unjudged: Sendable, Equatable {
        /// The record of the connection when the head arrived.
        let flow: FlowRecord
        /// The time at which the head arrived.
        let time: Timestamp
    }

    let lane: Lane
    let policy: Shared<ProxyPolicy>
    var request: RequestHead
    /// The server that is asked, as a shared value, because most exchanges of a connection ask the same server.
    var place: Shared<DialTarget>
    /// The scheme with which the server is asked.
    var scheme: Scheme
    /// Whether a server has the request, or is receiving it.
    var isWithServer = false
    var requestIsComplete: Bool
    /// Whether the request that is sent has no body.
    var isBodiless: Bool
    private(set) var responseHasBegun = false
    var responseIsComplete = false
    /// Whether the response ends only with the server's connection.
    private(set) var responseEndsAtClose = false
    /// The rare facts; created with the first of them, so that exchanges without any stay small.
    private var rare: Rare?

    /// Creates the machine of a request whose head has arrived.
    ///
    /// - Parameters:
    ///   - lane: The place of the exchange in its conversation.
    ///   - request: The head that the server gets if no rule changes it.
    ///   - place: The server.
    ///   - scheme: The scheme with which the server is asked.
    ///   - policy: The policy that decisions depend on.
    ///   - priority: The priority that the client stated before its request; `nil` if there is none.
    init(
        _ lane: Lane,
        _ request: RequestHead,
        to place: Shared<DialTarget>,
        scheme: Scheme,
        policy: Shared<ProxyPolicy>,
        priority: [UInt8]? = nil
    ) {
        self.lane = lane
        self.policy = policy
        self.request = request
        self.place = place
        self.scheme = scheme
        requestIsComplete = !request.framing.hasBody
        isBodiless = requestIsComplete
        if let priority { self.priority = priority }
    }

    // MARK: The response

    /// Notes that the head of the final response has arrived.
    mutating func responseBegan(_ head: ResponseHead, into commands: inout [ConversationCommand]) {
        responseHasBegun = true
        let knowsNoChunks = request.version == .http10
        responseEndsAtClose = head.framing == .untilClose || knowsNoChunks && head.framing == .chunked
        if !requestIsComplete, request.protocolName == nil {
            commands.append(.note(lane, .answeredEarly))
        }
    }

    /// Sends a response on.
    mutating func pass(
        _ head: ResponseHead,
        flow: @autoclosure () -> FlowRecord,
        into commands: inout [ConversationCommand]
    ) -> ExchangeStep {
        let stripped = head.withoutAltSvc()
        if stripped != nil { commands.append(.note(lane, .altSvcRemoved)) }
        guard head.status == 101 else {
            ruleMessages(head, flow: flow(), into: &commands)
            commands.append(.forwardResponse(lane, stripped ?? head))
            return .wait
        }
        commands.append(.forwardResponse(lane, stripped ?? head))
        if WebSocketAgreement.isOpened(status: 101, answer: head.fields) {
            ruleMessages(head, flow: flow(), into: &commands)
        }
        return .switchProtocols
    }

    /// Notes the last byte of the response.
    ///
    /// - Returns: Whether the response had begun.
    mutating func responseEnded() -> Bool {
        guard responseHasBegun else { return false }
        responseIsComplete = true
        return true
    }

    /// Begins an answer of the proxy whose content is read while it is sent; no rule acts on it.
    mutating func beginAnswer(_ reason: String) {
        answering = reason
        responseHasBegun = true
        ruling = nil
        held = nil
    }

    // MARK: Reading

    /// The server that is asked.
    var target: DialTarget {
        _read { yield place.value }
        set { place = Shared(newValue) }
    }

    /// Whether both messages are complete.
    var isComplete: Bool { requestIsComplete && responseIsComplete }

    /// Whether a message is held, or a question about it is open.
    var isHeld: Bool { ruling?.isAsked == true || held != nil }

    /// Whether the exchange waits for a delay, or for a decision that may take a long time.
    var isWaiting: Bool { ruling?.isWaiting == true || held?.isWaiting == true }

    /// Whether the response is held.
    var isResponseHeld: Bool { held?.response != nil }

    /// Whether the request has content although its method gives content no meaning (RFC 9110 §9.3.1).
    var hasUnexpectedContent: Bool { !isBodiless && HTTPMethod.isWithoutContent(request.method) }

    /// Whether the client still gets a response if it sends nothing more.
    ///
    /// A client that has sent its whole request may close its half. But while a person, a program or a delay holds the
    /// request, nothing of it was sent to the server. A client that closes then most likely wants no response any more.
    var isAnsweredAfterClose: Bool {
        guard requestIsComplete, ruling?.isAsked != true else { return false }
        guard let held else { return true }
        return (held.response != nil || held.isWhole) && !held.isWaiting
    }

    // MARK: Rare facts

    private var facts: Rare {
        mutating get {
            if let rare { return rare }
            let new = Rare()
            rare = new
            return new
        }
    }

    /// The framing of a body that a rule has made; `nil` if no rule has changed the body.
    var framing: BodyFraming? {
        get { rare?.framing }
        set { if rare != nil || newValue != nil { facts.framing = newValue } }
    }

    /// The reason for the proxy's own answer while its content is read and sent; `nil` for any other exchange.
    private(set) var answering: String? {
        get { rare?.answering }
        set { if rare != nil || newValue != nil { facts.answering = newValue } }
    }

    /// The user whose login is being verified; `nil` if there is none.
    var unverified: String? {
        get { rare?.unverified }
        set { if rare != nil || newValue != nil { facts.unverified = newValue } }
    }

    /// The user who sent the request; `nil` if no login is needed, or if the whole connection has one user.
    var user: String? {
        get { rare?.user }
        set { if rare != nil || newValue != nil { facts.user = newValue } }
    }

    /// Whether a rule matches the request.
    var isRuled: Bool {
        guard let rare else { return false }
        return rare.ruling != nil
    }

    /// The work of rules on the exchange; `nil` if no rule matches.
    var ruling: Ruling? {
        get { rare?.ruling }
        set { if rare != nil || newValue != nil { facts.ruling = newValue } }
    }

    /// The message that is held; `nil` if there is none.
    var held: Holding? {
        get { rare?.held }
        set { if rare != nil || newValue != nil { facts.held = newValue } }
    }

    /// The priority that the client stated outside of the request (RFC 9218 §7.1); `nil` if there is none.
    var priority: [UInt8]? {
        get { rare?.priority }
        set { if rare != nil || newValue != nil { facts.priority = newValue } }
    }
}

/// The next work of a conversation for an exchange.
enum ExchangeStep {
    /// Do nothing: the exchange waits for its messages, or for an answer.
    case wait
    /// Find a connection to the server, and send the request.
    case send
    /// Answer instead of the server. If `leavesServer`, tell the server, which is still busy with the exchange, to
    /// stop.
    case answer(Answer, leavesServer: Bool = false)
    /// End the exchange without a response. The text says why; `leavesServer` is as for `answer`.
    case cut(isReset: Bool, String, leavesServer: Bool = false)
    /// Relay the bytes of both sides unread, because the server switched protocols (101).
    case switchProtocols
}
