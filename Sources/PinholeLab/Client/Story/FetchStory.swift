package import PinholeModel

/// What happened during a fetch, step by step, so that somebody can understand why it ended as it did.
package struct FetchStory: Sendable {
    /// A step and when it happened.
    package struct Entry: Sendable {
        /// When, counted from the start.
        package let after: Duration
        /// What.
        package let step: FetchStep
    }

    /// What was asked for.
    package let url: ClientURL
    /// When it began.
    package let started: Timestamp
    /// The steps in their order.
    package private(set) var entries: [Entry] = []

    /// How many steps are kept; redirects and attempts are bounded, so this is for what nobody thought of.
    private static let limit = 2000

    /// Creates a story without steps.
    package init(_ url: ClientURL, started: Timestamp) {
        self.url = url
        self.started = started
    }

    /// Adds a step.
    package mutating func tell(_ step: FetchStep, at moment: Timestamp) {
        guard entries.count < Self.limit else { return }
        entries.append(Entry(after: moment - started, step: step))
    }

    /// The steps without their times.
    package var steps: [FetchStep] { entries.map(\.step) }
}
