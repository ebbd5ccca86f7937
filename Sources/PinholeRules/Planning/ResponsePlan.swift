package import PinholeModel

/// What rules want to be done with a response whose head has come.
package struct ResponsePlan: Sendable, Equatable {
    /// The rules that act, in their order.
    package var hits: [RuleHit] = []
    /// The response as it is sent on.
    package var response: RuleResponse
    /// Whether anything differs from what came.
    package var isChanged = false
    /// What is done with the whole response before it is sent on.
    package var tasks: [MessageTask] = []
}
