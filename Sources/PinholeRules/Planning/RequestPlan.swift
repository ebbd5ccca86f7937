package import PinholeModel

/// What rules want to be done with a request whose head has come.
package struct RequestPlan: Sendable, Equatable {
    /// How the proxy answers in the server's place.
    package enum Ending: Sendable, Equatable {
        /// With this.
        case mock(MockAnswer)
        /// With files.
        case local(LocalMap)
        /// With what was recorded.
        case replay(CaptureReplay)
        /// By closing.
        case close
        /// By resetting.
        case reset
    }

    /// The rules that act, in their order.
    package var hits: [RuleHit] = []
    /// The request as it is sent on.
    package var request: RuleRequest
    /// Whether method, path or fields differ from what came.
    package var isChanged = false
    /// The name of the rule that leads to another server, the last one where several do; `nil` for none.
    package var leader: String?
    /// Whether another server is asked.
    package var isElsewhere: Bool { leader != nil }
    /// What a rule made of the URL that is none, so that the URL stayed as it was; `nil` where each was one.
    package var badURL: String?
    /// Whether the request goes on naming the server that the client meant.
    package var keepsHost = false
    /// How long the request waits before anything else is done.
    package var delay = Duration.zero
    /// How slow the exchange is made; `nil` for as fast as it goes.
    package var throttling: Throttling?
    /// How the proxy answers; `nil` where the server is asked.
    package var ending: Ending?
    /// What is done with the whole request before it is sent on.
    package var tasks: [MessageTask] = []
}
