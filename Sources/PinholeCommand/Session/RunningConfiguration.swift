/// What a proxy runs with at a moment.
struct RunningConfiguration: Sendable {
    var configuration: Configuration
    /// Grows with every change.
    var revision = 1
}
