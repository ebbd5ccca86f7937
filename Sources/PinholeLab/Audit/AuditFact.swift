import PinholeCrypto
import PinholeModel

/// A fact about a server that a client may insist on.
package enum AuditFact: String, Sendable, Hashable, CaseIterable {
    /// The certificate itself.
    case certificate
    /// The server's key.
    case key
    /// The CA that issued the certificate.
    case issuer
    /// The timestamps of certificate logs.
    case timestamps
    /// The status of the certificate, which a stapled OCSP response states.
    case status
    /// The agreement on an application protocol.
    case alpn
    /// The version of TLS.
    case version
    /// The purpose of the certificate.
    case purpose
    /// The validity of the certificate.
    case validity
    /// The names in the certificate.
    case name
    /// The trust of the device in the root.
    case anchor

    /// The fact, as the object of “insists on”.
    package var title: String {
        switch self {
        case .certificate: "this very certificate"
        case .key: "the server's key"
        case .issuer: "the server's own CA"
        case .timestamps: "timestamps of certificate logs"
        case .status: "a certificate that is not revoked"
        case .alpn: "an application protocol by ALPN"
        case .version: "TLS 1.2 or newer"
        case .purpose: "the purpose of a server"
        case .validity: "dates that include today"
        case .name: "the name of the host"
        case .anchor: "a root that the device trusts"
        }
    }

    /// The server with the fact spoiled.
    package var spoiled: String {
        switch self {
        case .certificate: "another certificate with the same key"
        case .key: "another key"
        case .issuer: "another CA that the device trusts"
        case .timestamps: "no timestamps of logs"
        case .status: "a stapled response that says “revoked”"
        case .alpn: "no answer to the offer of protocols"
        case .version: "TLS 1.0 and 1.1 alone"
        case .purpose: "a certificate for clients"
        case .validity: "a certificate that expired yesterday"
        case .name: "a certificate for another host"
        case .anchor: "a root that the device does not trust"
        }
    }

    /// The rule by which a client's decision is read if this fact was spoiled last.
    fileprivate var reading: AuditReading { self == .version ? .handshake : .signals }

    /// The orders in which facts are given up.
    ///
    /// The certificate is the first one, because no other fact of it can be spoiled without it. A client that is content
    /// with one of two facts, such as a pin or a trusted root, shows another set in each order.
    static let orders: [[AuditFact]] = [
        allCases, [.certificate] + allCases.reversed().filter { $0 != .certificate },
    ]
}

extension Scenario {
    /// Makes the scenario of a server that has all facts right but some.
    ///
    /// - Parameters:
    ///   - spoiled: The facts that are wrong.
    ///   - last: The fact that was spoiled last; `nil` for none.
    /// - Returns: The scenario, which no catalogue has.
    static func spoiling(_ spoiled: Set<AuditFact>, last: AuditFact?) -> Scenario {
        Group.interception.scenario(
            "W\(spoiled.count)",
            last?.spoiled ?? "the honest server",
            presents: spoiled.map(\.spoiled).sorted().joined(separator: ", "),
            precondition: "",
            audit: ScenarioAudit(last?.reading ?? .signals)
        ) { (staging, world) throws(CryptoFailure) in staging = try .spoiled(spoiled, in: world) }
    }
}

extension Staging {
    /// A man in the middle who shows what the honest server shows, with some facts spoiled.
    fileprivate static func spoiled(
        _ facts: Set<AuditFact>,
        in world: LabWorld
    ) throws(CryptoFailure) -> Staging {
        let hierarchy = facts.contains(.issuer) ? world.rogue : world.honest
        var identity = world.identity
        if facts.contains(.certificate) {
            identity = try hierarchy.leaf(
                for: [facts.contains(.name) ? LabWorld.attackerHost : world.host],
                key: facts.contains(.key) ? world.attackerKey : world.identity.key,
                submission: facts.contains(.timestamps) ? .none : .complete
            ) { template in
                if facts.contains(.validity) {
                    template.notBefore = world.now - .seconds(60 * 86_400)
                    template.notAfter = world.now - .seconds(86_400)
                }
                if facts.contains(.purpose) { template.purposes = [.clientAuth] }
            }
        }
        var staging = Staging.intercepted(world, presenting: identity)
        if facts.contains(.anchor) { staging.withdrawnRoots = [hierarchy.root.certificate.facts] }
        if facts.contains(.version) {
            staging.impostorOptions = ServerOptions(versions: .tls10 ... .tls11, strength: .none)
        }
        if facts.contains(.alpn) { staging.impostorOptions.selectsProtocols = false }
        if facts.contains(.status) {
            var response = CraftedStatusResponse(
                thisUpdate: world.now - .seconds(3600),
                nextUpdate: world.now + .seconds(7 * 86_400)
            )
            response.status = .revoked(world.now - .seconds(7200))
            staging.impostorOptions.stapledResponse = try response.signed(
                about: identity.certificate,
                by: hierarchy.issuer.certificate,
                hierarchy.issuer.key
            )
        }
        return staging
    }
}
