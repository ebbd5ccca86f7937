import PinholeModel

/// The audit of a program in a scenario: how the lab reads the decision from the wire, or why it cannot.
package struct ScenarioAudit: Sendable {
    /// The reading of the signals of the program.
    package let reading: AuditReading
    /// The reason why the scenario cannot be audited; `nil` if it can.
    package let obstacle: AuditObstacle?
    /// The host as the URL of each visit writes it; `nil` for one visit with the URL of the stage.
    let spellings: (@Sendable (Host) -> [String])?

    /// Whether the man in the middle also lets the first connections pass, and intercepts later ones.
    private(set) var isPatient = false
    /// Whether the scenario is run only if the user names it.
    private(set) var isOnRequest = false

    /// The numbers of connections that a patient man in the middle lets pass.
    static let patience = [1, 2, 5]

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
    /// The audit of one visit, and of visits whose first connections meet the honest server.
    static let patientSignals = {
        var audit = signals
        audit.isPatient = true
        return audit
    }()
    /// The audit of a scenario that says something only of some clients.
    static let onRequest = {
        var audit = signals
        audit.isOnRequest = true
        return audit
    }()
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
