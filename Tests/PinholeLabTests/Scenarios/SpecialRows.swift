import PinholeCrypto
import PinholeModel
import PinholeTrust

@testable import PinholeLab

/// Clients that do one thing better or worse than the modes, for the scenarios that turn on it.
enum SpecialRows {
    /// All of them.
    static let all = [
        resumesUnsafely, oldTLS, anonymous, cleartext, followsDowngrade, secureOnly, asked, bound, firstUse,
        strictFirstUse, answersAll, pooled, searches, expiring,
    ]
    /// Pins the leaf's key, and takes a resumed session for one that was judged.
    static let resumesUnsafely = pinned("resume-unsafe") { $0.resumption = .dangerSkipsJudgement }
    /// Pins the leaf's key, and speaks TLS 1.0.
    static let oldTLS = pinned("tls10") {
        $0.versions = .tls10 ... .tls13
        $0.strength = .none
    }
    /// Pins the leaf's key, and offers ciphers without a certificate.
    static let anonymous = pinned("anonymous") {
        $0.strength = TLSStrength(securityLevel: 0, cipherList: "ALL:aNULL")
    }
    /// Pins the leaf's key, and offers ciphers that do not encrypt.
    static let cleartext = pinned("null") {
        $0.strength = TLSStrength(securityLevel: 0, cipherList: "ALL:eNULL:!aNULL")
    }
    /// Pins the leaf's key, and follows redirects from https to http.
    static let followsDowngrade = pinned("follows-downgrade") { $0.dangerFollowsDowngrade = true }
    /// Judges by the system's CAs, and refuses plain HTTP.
    static let secureOnly = system("https-only") { $0.refusesCleartext = true }
    /// Judges by the system's CAs, and insists on being asked for its certificate.
    static let asked = system("mtls") { $0.insistsOnClientCertificate = true }
    /// Judges by the system's CAs, and says over which connection it sends.
    static let bound = system("channel-binding") { $0.bindsChannel = true }
    /// Trusts on first use.
    static let firstUse = LabPolicy("tofu", "trust on first use") { target in
        TOFUPolicy(store: known(target), strict: false)
    }
    /// Trusts on first use, except that it does not at the first use.
    static let strictFirstUse = LabPolicy("tofu-strict", "keys seen before") { target in
        TOFUPolicy(store: known(target), strict: true)
    }
    /// Gives the server's name and password to whoever asks.
    static let answersAll = LabPolicy(
        "answers-all",
        "answers every challenge",
        answer: { challenge in
            // Another spelling each time: the client itself does not send the same again.
            let count = challenge.previousFailureCount
            let user = LabWorld.login.user + String(repeating: " ", count: count)
            return .useCredential(Credential(user: user, password: LabWorld.login.password))
        },
        make: { _ in SystemPolicy() }
    )
    /// One list of pins for all hosts of the app, and no check of the host.
    static let pooled = LabPolicy("pooled", "one list of pins for all hosts") { target in
        BrokenPolicy(.unvalidatedSPKI, pins: target.world.pooledPins)
    }
    /// Looks for the pinned key's bytes anywhere in the certificate.
    static let searches = LabPolicy("searches", "looks for the key's bytes") { target in
        SearchingPolicy(spki: target.world.leaf.spki)
    }

    /// Pins the leaf's key until a date.
    static let expiring = LabPolicy("expiring", "pins that expire") { target throws(LabFailure) in
        let domain = TrustKitDomain(
            publicKeyHashes: target.world.leafPins,
            expirationDate: target.world.pinExpiry
        )
        do {
            return try TrustKitPolicy(pinnedDomains: [target.world.host.description: domain])
        } catch {
            throw LabFailure("\(error)")
        }
    }

    private static func pinned(
        _ id: String,
        _ adapt: @escaping @Sendable (inout ClientSettings) -> Void
    ) -> LabPolicy {
        LabPolicy(
            id,
            id,
            adapt: { settings, _ in adapt(&settings) },
            make: { SPKIPolicy(pins: $0.world.leafPins, scope: .leaf) }
        )
    }

    private static func system(
        _ id: String,
        _ adapt: @escaping @Sendable (inout ClientSettings) -> Void
    ) -> LabPolicy {
        LabPolicy(id, id, adapt: { settings, _ in adapt(&settings) }, make: { _ in SystemPolicy() })
    }

    private static func known(_ target: LabPolicy.Target) -> KnownHosts {
        guard let seen = target.seen else { return KnownHosts() }
        let place = target.authority
        let entry = KnownHosts.Entry(
            host: place.host.description,
            service: String(place.port),
            key: .spki(seen.spki)
        )
        return KnownHosts([entry])
    }
}

/// A second parser that is none.
private struct SearchingPolicy: TrustPolicy {
    let spki: [UInt8]

    var mechanism: String { "searching" }

    func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        let system = SystemPolicy().judge(evidence, with: evaluator)
        guard case .trusted = system.verdict, let der = evidence.presented.leaf?.der else { return system }
        let isThere = der.indices.contains { der[$0...].starts(with: spki) }
        return isThere ? system : BrokenPolicy(.presentedSPKI).judge(evidence, with: evaluator)
    }
}
