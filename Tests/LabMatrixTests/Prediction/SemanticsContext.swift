import PinholeModel
import PinholeTrust

@testable import PinholeLab

/// For whom settings are read.
struct SemanticsContext {
    /// Whose keys there are.
    let world: LabWorld
    /// Which of the hosts is asked for.
    let asked: Encounter.Asked
    /// The port that settings have to name.
    var port: UInt16
    /// The verifier that a document names; `nil` for that of the mechanism.
    var verifier: VerifierProfile.Name?

    /// The host that is asked for.
    var host: Host {
        switch asked {
        case .meant: world.host
        case .subdomain: world.internationalHost
        case .address: IPAddress("127.0.0.1").map(Host.address) ?? .name("127.0.0.1")
        case .foreign: LabWorld.attackerHost
        }
    }

    /// Whose certificates fulfil a condition.
    func holders(_ condition: (CertificateFacts) -> Bool) -> Set<KeyHolder> {
        Set(KeyHolder.allCases.filter { world.certificate(of: $0).map(condition) ?? false })
    }

    /// Whose keys are pinned.
    func holders(_ pins: [Pin]) -> Set<KeyHolder> {
        holders { certificate in
            pins.contains {
                $0.digest == ($0.algorithm == .sha1 ? certificate.spkiSHA1 : certificate.spkiSHA256)
            }
        }
    }

    /// Whose certificates are pinned.
    func holders(_ certificates: [CertificateFacts]) -> Set<KeyHolder> {
        holders { certificate in certificates.contains { $0.der == certificate.der } }
    }

    /// The certificates as anchors.
    func anchors(_ certificates: [CertificateFacts]) -> Set<JudgingSemantics.Anchor> {
        Set(holders(certificates).map(JudgingSemantics.Anchor.certificate))
    }

    /// When pins with a date stop to count.
    func lifetime(_ end: Timestamp?) -> JudgingSemantics.PinLifetime {
        guard let end else { return .endless }
        if end <= world.now { return .over }
        return end < world.afterPinExpiry ? .untilExpiry : .endless
    }

    /// Whether a domain means the host: itself, or as many labels more as are allowed.
    func isMeant(by domain: String, labels: ClosedRange<Int>) -> Bool {
        guard let name = host.name else { return labels.contains(0) && domain == host.description }
        let asked = name.split(separator: ".", omittingEmptySubsequences: false)
        let named = domain.split(separator: ".", omittingEmptySubsequences: false)
        return asked.suffix(named.count) == named[...] && labels.contains(asked.count - named.count)
    }
}
