/// The messages that a `breakpoint` rule holds for a decision.
package struct Breakpoint: Sendable, Equatable {
    /// The messages of an exchange that can be held.
    package enum Stage: String, Sendable, CaseIterable {
        /// The request, before it is sent to the server.
        case request
        /// The response, before it is sent to the client.
        case response
        /// Both messages.
        case both
    }

    /// The messages that are held.
    package var stage: Stage = .request
    /// The time after which a message goes on without a decision.
    package var patience: Duration = .seconds(60)
}
