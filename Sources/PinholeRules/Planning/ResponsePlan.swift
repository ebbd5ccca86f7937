package import PinholeModel

/// The actions of the rules for a response whose head was received.
package struct ResponsePlan: Sendable, Equatable {
    /// The rules that acted, in their order.
    package var hits: [RuleHit] = []
    /// The response to forward.
    package var response: RuleResponse
    /// Whether anything differs from the received response.
    package var isChanged = false
    /// The tasks for the whole response before it is forwarded.
    package var tasks: [MessageTask] = []
}
