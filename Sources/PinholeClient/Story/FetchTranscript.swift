package import PinholeModel

/// The story of a fetch, step by step, which explains why it ended as it did.
package struct FetchTranscript: Sendable {
    /// A step and when it happened.
    package struct Entry: Sendable {
        /// The time since the start.
        package let after: Duration
        /// The event.
        package let step: FetchStep
    }

    /// The URL of the request.
    package let url: ClientURL
    /// The time at which the fetch began.
    package let started: Timestamp
    /// The steps in their order.
    package private(set) var entries: [Entry] = []

    /// The number of steps that are kept.
    ///
    /// Redirects and attempts are bounded, so the limit guards only against unforeseen cases.
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
