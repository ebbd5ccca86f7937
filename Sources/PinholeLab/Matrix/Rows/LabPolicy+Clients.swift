import PinholeCrypto
import PinholeTrust

extension LabPolicy {
    /// Pins and the system's judgement in clients that behave otherwise: what turns on the client and not on pins.
    static let clients: [LabPolicy] = [
        pinned("check-late", "SL, checked after the handshake") { $0.checkPlace = .afterHandshake },
        pinned("resume-unsafe", "SL, not asked again when TLS resumes", .broken) {
            $0.resumption = .dangerSkipsJudgement
        },
        pinned("early-data", "SL, sends requests ahead of its check", .broken) {
            $0.dangerSendsEarlyData = true
        },
        sharing(
            "coalesces-open",
            "SL for one host, shares connections unasked",
            .broken,
            .dangerSkipsJudgement
        ),
        sharing("coalesces-judged", "SL for one host, asks before it shares them", .inUse, .judgedAgain),
        pinned("http-redirect", "SL, follows redirects from https to http", .broken) {
            $0.dangerFollowsDowngrade = true
        },
        pinned("tls10", "SL, speaks TLS 1.0", .broken) {
            $0.versions = .tls10 ... .tls13
            $0.strength = .none
        },
        pinned("anonymous", "SL, offers ciphers without a certificate", .broken) {
            $0.strength = TLSStrength(securityLevel: 0, cipherList: "ALL:aNULL")
        },
        pinned("null-cipher", "SL, offers ciphers that do not encrypt", .broken) {
            $0.strength = TLSStrength(securityLevel: 0, cipherList: "ALL:eNULL:!aNULL")
        },
        pinned("falls-back", "SL, and a WebView without pins when refused", .broken) {
            $0.dangerAsksAgainByDefault = true
        },
        updating("updates-open", "SL, its pins updated as they come", .broken, .asItComes),
        updating("updates-signed", "SL, its pins updated if they are signed", .inUse, .signed),
        LabPolicy("expiry-closed", "SL, refuses all once its pins expired", group: .clients) {
            ExpiringPolicy(SPKIPolicy(pins: $0.world.leafPins, scope: .leaf), at: $0.world.pinExpiry)
        },
        system("https-only", "SYS, refuses plain http") { $0.refusesCleartext = true },
        system("mtls", "SYS, insists on showing its certificate") { $0.insistsOnClientCertificate = true },
        system("channel-binding", "SYS, says over which channel it speaks") { $0.bindsChannel = true },
        LabPolicy("must-staple", "SYS, wants a staple where the leaf says so", group: .clients) { _ in
            MustStaplePolicy()
        },
        LabPolicy("ct-required", "SYS, wants timestamps of two logs", group: .clients) { _ in
            CTRequiredPolicy()
        },
        answersAll,
        LabPolicy("pooled", "one list of pins for all hosts", .broken, group: .clients) {
            BrokenPolicy(.unvalidatedSPKI, pins: $0.world.pooledPins)
        },
    ]

    /// Gives the server's name and password to whoever asks.
    private static let answersAll = LabPolicy(
        "answers-all",
        "SYS, gives its password to whoever asks",
        .broken,
        group: .clients,
        answer: { challenge in
            // Another spelling each time: the client itself does not send the same again.
            let count = challenge.previousFailureCount
            let user = LabWorld.login.user + String(repeating: " ", count: count)
            return .useCredential(Credential(user: user, password: LabWorld.login.password))
        },
        make: { _ in SystemPolicy() }
    )

    private static func pinned(
        _ id: String,
        _ title: String,
        _ stance: Stance = .inUse,
        _ adapt: @escaping @Sendable (inout ClientSettings) -> Void
    ) -> LabPolicy {
        LabPolicy(
            id,
            title,
            stance,
            group: .clients,
            adapt: { settings, _ in adapt(&settings) },
            make: { SPKIPolicy(pins: $0.world.leafPins, scope: .leaf) }
        )
    }

    /// Pins the server's key for its host alone: others may have connections that it is not pinned on.
    private static func sharing(
        _ id: String,
        _ title: String,
        _ stance: Stance,
        _ coalescing: ClientSettings.Coalescing
    ) -> LabPolicy {
        LabPolicy(
            id,
            title,
            stance,
            group: .clients,
            adapt: { settings, _ in settings.coalescing = coalescing },
            make: { target throws(LabFailure) in
                try forItsHost(target, SPKIPolicy(pins: target.world.leafPins, scope: .leaf))
            }
        )
    }

    private static func updating(
        _ id: String,
        _ title: String,
        _ stance: Stance,
        _ update: PinUpdate
    ) -> LabPolicy {
        var row = pinned(id, title, stance) { _ in }
        row.pinUpdate = update
        return row
    }

    private static func system(
        _ id: String,
        _ title: String,
        _ adapt: @escaping @Sendable (inout ClientSettings) -> Void
    ) -> LabPolicy {
        LabPolicy(
            id,
            title,
            group: .clients,
            adapt: { settings, _ in adapt(&settings) },
            make: { _ in SystemPolicy() }
        )
    }
}
