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

    /// The scenarios that any program can be audited with, in the order of their identifiers.
    ///
    /// - Parameter world: Any certificates.
    /// - Returns: Those that need nothing of the companion client.
    package static func auditable(in world: LabWorld) -> [Scenario] {
        catalogue.filter { $0.isAuditable(in: world) }
    }

    /// The groups in which the certificate is what matters, and a request the answer to it.
    private static let auditableGroups: Set<Group> = [.interception, .names, .fitness, .paths, .changes]

    /// Whether any program can be audited with it: it is about a certificate, it is one visit over HTTPS, and
    /// all of it is between the program and the man in the middle.
    ///
    /// - Parameter world: Any certificates.
    /// - Returns: Whether it needs nothing of the companion client.
    package func isAuditable(in world: LabWorld) -> Bool {
        guard isOneVisit, Self.auditableGroups.contains(group), let staging = try? staging(world) else {
            return false
        }
        let needsTheClient = staging.adapt != nil || staging.knowsLogin || staging.isFirstContact
        let needsTheServer = !staging.otherHosts.isEmpty || staging.defaultHost != nil
        let needsTheWay =
            staging.hostileProxy != nil || staging.tampering != nil || staging.alternative != nil
        return staging.scheme == .https && !needsTheClient && !needsTheServer && !needsTheWay
    }

    /// The stage for a program of which nothing is known but the wire.
    ///
    /// A mere tunnel shows nothing, so the lab answers with the server's own identity, which it has: the
    /// program sees the same chain, proved with the same key.
    func auditStaging(_ world: LabWorld) throws(LabFailure) -> Staging {
        var staging: Staging
        do {
            staging = try self.staging(world)
        } catch {
            throw LabFailure("the scenario could not be set up: \(error)")
        }
        if staging.impostor == nil {
            staging.impostor = .presenting(staging.identity)
            staging.impostorOptions = staging.options
            staging.identity = world.identity
            staging.options = ServerOptions()
        }
        return staging
    }
}
