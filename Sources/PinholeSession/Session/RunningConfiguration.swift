/// The configuration with which a proxy runs at a moment.
package struct RunningConfiguration: Sendable {
    var configuration: Configuration
    /// The revision, which grows with every change of the rules.
    var revision = 1
    /// The TLS settings of single servers that the console has changed.
    var trust = SessionTrust()
}
