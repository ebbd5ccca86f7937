import PinholeCrypto
import PinholeModel

extension Scenario {
    /// The interception by a CA that the device does not trust, which every client refuses that validates.
    package static let untrusted = named("A01")

    /// The interception by a CA that the device trusts, which only a client refuses that pins.
    package static let installed = named("A02")

    private static func named(_ id: String) -> Scenario {
        interception.first { $0.id == id } ?? control
    }

    /// The scenarios that a program can be audited with, in the order of their identifiers.
    ///
    /// - Parameter directly: Whether it connects by itself, without the proxy.
    /// - Returns: Those whose decision is on the wire.
    package static func auditable(directly: Bool = false) -> [Scenario] {
        catalogue.filter { $0.auditObstacle(directly: directly) == nil }
    }

    /// What keeps it out of audits.
    ///
    /// - Parameter directly: Whether the program connects by itself, without the proxy.
    /// - Returns: The obstacle; `nil` for none.
    package func auditObstacle(directly: Bool = false) -> AuditObstacle? {
        let obstacle = AuditObstacle.allCases.first { $0.scenarios.contains(id) }
        return obstacle == .needsProxy && !directly ? nil : obstacle
    }

    /// How a client's decision is read.
    package var auditReading: AuditReading {
        switch id {
        case "B02", "B03", "B04", "B05", "B29", "B37": .handshake
        case "B06": .attempts
        case "B11", "B12": .redirect
        default: .signals
        }
    }

    /// The stages for a program of which nothing is known but the wire: one for each visit.
    func auditStagings(_ world: LabWorld) throws(LabFailure) -> [Staging] {
        let staging = try auditStaging(world)
        guard id == "B15" else { return [staging] }
        return Self.spellings(of: world.host).map { spelling in
            var staging = staging
            staging.writtenHost = spelling
            return staging
        }
    }

    /// The stage, with all that the client is shown at the man in the middle.
    ///
    /// A mere tunnel shows nothing, so the lab answers with the server's own identity, which it has: the
    /// program sees the same chain, proved with the same key.
    private func auditStaging(_ world: LabWorld) throws(LabFailure) -> Staging {
        var staging: Staging
        do {
            staging = try self.staging(world)
        } catch {
            throw LabFailure("the scenario could not be set up: \(error)")
        }
        staging.tampersBeforeProxy = true
        guard staging.impostor == nil else { return staging }
        // The server would show its other chain to whoever takes it, and its default one where no name comes.
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
