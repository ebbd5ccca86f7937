import PinholeCrypto
import PinholeModel

extension Scenario {
    /// The scenarios that a program can be audited with, in the order of their identifiers.
    ///
    /// - Parameters:
    ///   - directly: Whether the program connects by itself, without the proxy.
    ///   - speaksHTTP: Whether the program speaks HTTP; other protocols have no redirects.
    ///   - names: The scenarios that the user names; some are run only then, as they judge few clients.
    /// - Returns: The scenarios whose decision is visible on the wire.
    package static func auditable(
        directly: Bool = false,
        speaksHTTP: Bool = true,
        naming names: Set<String> = []
    ) -> [Scenario] {
        catalogue.filter { scenario in
            scenario.auditObstacle(directly: directly) == nil
                && (speaksHTTP || scenario.audit.reading != .redirect)
                && (!scenario.audit.isOnRequest || names.contains(scenario.id))
        }
    }

    /// Finds the reason why the scenario cannot be audited.
    ///
    /// - Parameter directly: Whether the program connects by itself, without the proxy.
    /// - Returns: The obstacle; `nil` for none.
    package func auditObstacle(directly: Bool = false) -> AuditObstacle? {
        audit.obstacle == .needsProxy && !directly ? nil : audit.obstacle
    }

    /// Makes the stages for a program that is seen only on the wire: one for each visit.
    ///
    /// - Parameters:
    ///   - world: The certificates.
    ///   - connections: The number of connections that the program makes to the honest server.
    /// - Returns: The stages.
    /// - Throws: ``LabFailure`` if the scenario cannot be set up.
    func auditStagings(_ world: LabWorld, connections: Int) throws(LabFailure) -> [Staging] {
        let staging = try auditStaging(world)
        if audit.isPatient {
            let counts = ScenarioAudit.patience.filter { $0 < connections }
            return [staging]
                + counts.map { count in
                    var staging = staging
                    staging.patience = count
                    // The honest server's sessions are of no use to the man in the middle.
                    staging.impostorOptions.givesSessions = false
                    return staging
                }
        }
        guard let spellings = audit.spellings else { return [staging] }
        return spellings(world.host).map { spelling in
            var staging = staging
            staging.writtenHost = spelling
            return staging
        }
    }

    /// Makes the stage for an audit, in which the man in the middle presents every chain that the client is shown.
    ///
    /// A mere tunnel sees nothing, so the lab's proxy presents the server's own identity, whose key the lab has. The
    /// program sees the same chain, proved with the same key.
    private func auditStaging(_ world: LabWorld) throws(LabFailure) -> Staging {
        var staging: Staging
        staging = try LabFailure.wrapping("the scenario could not be set up") { try self.staging(world) }
        staging.tampersBeforeProxy = true
        guard staging.impostor == nil else { return staging }
        // The server would present its other chain to clients that take it, and its default chain to clients without
        // SNI.
        staging.impostor = .presenting(
            staging.alternative ?? staging.defaultHost?.identity ?? staging.identity
        )
        staging.impostorOptions = staging.options
        staging.identity = world.identity
        staging.alternative = nil
        staging.defaultHost = nil
        staging.options = ServerOptions()
        return staging
    }
}
