/// What a proxy runs with at a moment.
struct RunningConfiguration: Sendable {
    var configuration: Configuration
    /// Grows with every change of the rules.
    var revision = 1
    /// What was changed for single servers.
    var trust = SessionTrust()
}
