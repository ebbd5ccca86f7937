package import PinholeModel

/// The actions of the rules for a request whose head was received.
package struct RequestPlan: Sendable, Equatable {
    /// An answer in place of the server's.
    package enum Ending: Sendable, Equatable {
        /// A fixed answer.
        case mock(MockAnswer)
        /// An answer from a file or folder.
        case local(LocalMap)
        /// An answer from a capture.
        case replay(CaptureReplay)
        /// The connection is closed without a response.
        case close
        /// The connection is reset without a response.
        case reset
    }

    /// The rules that acted, in their order.
    package var hits: [RuleHit] = []
    /// The request to forward.
    package var request: RuleRequest
    /// Whether method, path or fields differ from the received request.
    package var isChanged = false
    /// The name of the last rule that leads to another server; `nil` if there is none.
    package var leader: String?
    /// Whether the request goes to another server.
    package var isElsewhere: Bool { leader != nil }
    /// The result of a rewritten URL that is no URL, so that the URL stayed unchanged; `nil` if there is none.
    package var badURL: String?
    /// Whether the forwarded request still names the server that the client addressed.
    package var keepsHost = false
    /// The time that the request waits before anything else happens.
    package var delay = Duration.zero
    /// The actions on the bytes of the exchange as they pass, at most one of each kind.
    package var byteActions: [RuleAction] = []
    /// The answer of the proxy; `nil` if the server is asked.
    package var ending: Ending?
    /// The tasks for the whole request before it is forwarded.
    package var tasks: [MessageTask] = []
    /// The draws for rules with a chance.
    ///
    /// They also apply to the response.
    var draws: [Draw] = []

    /// Creates a plan without rules.
    ///
    /// - Parameters:
    ///   - request: The request to forward.
    ///   - tasks: The tasks for the whole request.
    package init(request: RuleRequest, tasks: [MessageTask] = []) {
        self.request = request
        self.tasks = tasks
    }

    /// The draw for a rule.
    struct Draw: Sendable, Equatable {
        /// The chance of the rule.
        let chance: Chance
        /// Whether the rule acts.
        let acts: Bool
    }
}
