/// Where a `breakpoint` rule holds an exchange for somebody to decide about it.
package struct Breakpoint: Sendable, Equatable {
    /// Which of its messages are held.
    package enum Stage: String, Sendable, CaseIterable {
        /// The request, before it is sent to the server.
        case request
        /// The response, before it is sent to the client.
        case response
        /// Each of them.
        case both
    }

    /// Which messages are held.
    package var stage: Stage
    /// After how long one goes on that nobody decides about.
    package var patience: Duration

    /// Creates a breakpoint.
    package init(stage: Stage = .request, patience: Duration = .seconds(60)) {
        self.stage = stage
        self.patience = patience
    }
}
