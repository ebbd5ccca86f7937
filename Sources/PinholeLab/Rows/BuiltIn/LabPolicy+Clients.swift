import PinholeClient
import PinholeCrypto
import PinholeTrust

extension LabPolicy {
    /// The rows that combine pins and the system's judgement with other behaviour of the client.
    static let clients: [LabPolicy] = [
        pinned("check-late", "SL, checked after the handshake") { $0.checkPlace = .afterHandshake },
        pinned("resume-unsafe", "SL, does not judge resumed sessions again", .broken) {
            $0.resumption = .dangerSkipsJudgement
        },
        pinned("early-data", "SL, sends early data before its check", .broken) {
            $0.dangerSendsEarlyData = true
        },
        sharing(
            "coalesces-open",
            "SL for one host, shares connections unchecked",
            .broken,
            .dangerSkipsJudgement
        ),
        sharing("coalesces-judged", "SL for one host, checks before it shares", .inUse, .judgedAgain),
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
        pinned("falls-back", "SL, falls back to a WebView without pins", .broken) {
            $0.dangerAsksAgainByDefault = true
        },
        updating("updates-open", "SL, accepts every update of its pins", .broken, .asItComes),
        updating("updates-signed", "SL, accepts signed updates of its pins", .inUse, .signed),
        LabPolicy("expiry-closed", "SL, refuses everything once its pins expired", group: .clients) {
            ExpiringPolicy(SPKIPolicy(pins: $0.world.leafPins, scope: .leaf), at: $0.world.pinExpiry)
        },
        system("https-only", "SYS, refuses plain http") { $0.refusesCleartext = true },
        system("mtls", "SYS, refuses servers that want no certificate") {
            $0.insistsOnClientCertificate = true
        },
        system("channel-binding", "SYS, binds its requests to the connection") { $0.bindsChannel = true },
        LabPolicy("must-staple", "SYS, requires the staple that a leaf demands", group: .clients) { _ in
            MustStaplePolicy()
        },
        LabPolicy("ct-required", "SYS, requires timestamps of two logs", group: .clients) { _ in
            CTRequiredPolicy()
        },
        answersAll,
        LabPolicy("pooled", "one list of pins for all hosts", .broken, group: .clients) {
            BrokenPolicy(.unvalidatedSPKI, pins: $0.world.pooledPins)
        },
    ]

    /// Gives the server's name and password to every server and proxy that asks.
    private static let answersAll = LabPolicy(
        "answers-all",
        "SYS, gives its password to every challenger",
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
