import ArgumentParser
import PinholeTrust

/// The built-in ways to judge a server, by the short names of the lab (docs/JUDGE.md#whom-to-trust).
enum FetchMode: String, CaseIterable, ExpressibleByArgument {
    case system = "SYS"
    case anchorsOnly = "AO"
    case leafCertificate = "LC"
    case chainCertificate = "CC"
    case leafKey = "SL"
    case chainKey = "SC"
    case presentedKey = "PB"
    case unvalidatedLeaf = "NV"
    case unvalidatedChain = "NVC"
    case noHost = "NH"
    case acceptAll = "AA"

    /// The values that a mode compares in addition to the chain.
    enum Need {
        case nothing
        case anchors
        case certificates
        case pins
    }

    /// The values that must be given for the mode.
    var need: Need {
        switch self {
        case .system, .acceptAll: .nothing
        case .anchorsOnly: .anchors
        case .leafCertificate, .chainCertificate: .certificates
        case .leafKey, .chainKey, .presentedKey, .unvalidatedLeaf, .unvalidatedChain, .noHost: .pins
        }
    }

    /// Creates a mode from its name in any case.
    init?(argument: String) { self.init(rawValue: argument.uppercased()) }

    /// Returns the policy of the mode.
    func policy(
        pins: [Pin],
        certificates: [CertificateFacts],
        anchors: [CertificateFacts]
    ) -> any TrustPolicy {
        switch self {
        case .system: SystemPolicy()
        case .anchorsOnly: AnchorsOnlyPolicy(anchors: anchors)
        case .leafCertificate: CertificatePolicy(certificates: certificates, scope: .leaf)
        case .chainCertificate: CertificatePolicy(certificates: certificates, scope: .chain)
        case .leafKey: SPKIPolicy(pins: pins, scope: .leaf)
        case .chainKey: SPKIPolicy(pins: pins, scope: .chain)
        case .presentedKey: BrokenPolicy(.presentedSPKI, pins: pins)
        case .unvalidatedLeaf: BrokenPolicy(.unvalidatedSPKI, pins: pins, scope: .leaf)
        case .unvalidatedChain: BrokenPolicy(.unvalidatedSPKI, pins: pins, scope: .chain)
        case .noHost: BrokenPolicy(.noHost, pins: pins)
        case .acceptAll: BrokenPolicy(.acceptAll)
        }
    }
}
