import PinholeModel

/// The audit of a program in a scenario: how the lab reads the decision from the wire, or why it cannot.
package struct ScenarioAudit: Sendable {
    /// The reading of the signals of the program.
    package let reading: AuditReading
    /// The reason why the scenario cannot be audited; `nil` if it can.
    package let obstacle: AuditObstacle?
    /// The host as the URL of each visit writes it; `nil` for one visit with the URL of the stage.
    let spellings: (@Sendable (Host) -> [String])?

    /// Describes an audit.
    ///
    /// - Parameters:
    ///   - reading: The reading of the signals.
    ///   - obstacle: The reason why the scenario cannot be audited.
    ///   - visits: The host as the URL of each visit writes it; one visit if it is missing.
    init(
        _ reading: AuditReading,
        obstacle: AuditObstacle? = nil,
        visits: (@Sendable (Host) -> [String])? = nil
    ) {
        self.reading = reading
        self.obstacle = obstacle
        spellings = visits
    }

    /// The audit of one visit, whose signals are read as they are.
    static let signals = ScenarioAudit(.signals)
    /// The audit of one visit, in which a client that ends the handshake has refused.
    static let handshake = ScenarioAudit(.handshake)
    /// The audit of one visit, read from the client's attempts to connect.
    static let attempts = ScenarioAudit(.attempts)
    /// The audit of one visit, read from the client's reaction to a redirect.
    static let redirect = ScenarioAudit(.redirect)

    /// Returns the audit of a scenario that cannot be audited.
    static func impossible(_ obstacle: AuditObstacle) -> ScenarioAudit {
        ScenarioAudit(.signals, obstacle: obstacle)
    }
}
