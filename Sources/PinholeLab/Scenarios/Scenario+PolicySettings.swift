import PinholeClient
import PinholeCrypto
import PinholeModel
import PinholeTrust

extension Scenario {
    /// The scenarios that a policy's own settings decide: hosts, lists, dates, and the place of a key.
    package static let policySettings: [Scenario] = [
        Group.policy.scenario(
            "B15",
            "the host in another spelling",
            presents: "a leaf that the proxy minted, to an app that writes the host in capitals, with a dot"
                + " at the end or with a user before it",
            precondition: "the proxy's CA is installed on the device; a link that the attacker writes",
            correctClient: "finds its pins under every spelling, and refuses",
            remedy: "a single spelling of the host before pins are looked up, or any pin at all",
            references: ["OkHttp", "TrustKit", "RFC 4343", "RFC 3986 6.2.2.1"],
            refusedBy: [.systemPath, .keys, .timestamps],
            audit: ScenarioAudit(.signals, visits: spellings),
            conduct: everySpelling
        ) { staging, world in staging = .proxied(world) },
        Group.policy.scenario(
            "B28",
            "the real key hidden in an extension",
            presents:
                "a leaf by another public CA for the attacker's key; the real key's bytes lie in an extension",
            precondition: "a CA was deceived",
            correctClient: "reads the same key as the TLS library, and refuses",
            remedy: "a pin of the key that TLS uses, read by one parser",
            references: ["CVE-2026-87866 (curl)"],
            refusedBy: .keys
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(
                try world.rogue.crafted(for: world.host, key: world.attackerKey) {
                    $0.set(decoyExtension, world.leaf.spki)
                }
            )
        },
        Group.policy.scenario(
            "B30",
            "the chain of another host of the same app",
            presents: "the chain of another host of the same app, with its key",
            precondition: "the other host's key was stolen",
            correctClient: "refuses: the name is wrong",
            remedy: "a check of the host, and pins that are kept apart by host",
            references: ["Spinner, ACSAC 2017"],
            refusedBy: [.name, .leafKeys]
        ) { staging, world in staging.impostor = .presenting(world.sibling) },
        Group.policy.scenario(
            "B31",
            "interception after the pins have expired",
            presents: "a leaf that the proxy minted; the clock of the device is two weeks ahead",
            precondition: "the proxy's CA is installed, and the app is old or the clock is wrong",
            correctClient: "refuses: pins do not expire, or expired pins still count",
            remedy: "a pin without an expiration, or one that fails closed",
            references: ["Android pin-set expiration", "TrustKit kTSKExpirationDate"],
            refusedBy: [.systemPath, .keys, .timestamps],
            audit: .impossible(.device)
        ) { staging, world in
            staging = .proxied(world).at(world.afterPinExpiry)
        },
        Group.changes.scenario(
            "L20",
            "the pins of the app have expired",
            presents: "the server's own chain; the clock of the device is two weeks ahead",
            precondition: "the app is old, or the clock is wrong",
            correctClient: "goes along: the server is still the same",
            remedy:
                "pins that do not stop the app when they expire, and a new version of the app before that",
            references: ["Android pin-set expiration", "TrustKit kTSKExpirationDate"],
            audit: .impossible(.device)
        ) { staging, world in staging = Staging(world).at(world.afterPinExpiry) },
        Group.policy.scenario(
            "B32",
            "the proxy's CA among the system's CAs",
            presents: "a leaf that the proxy minted, and the proxy's CA",
            precondition: "the device is rooted or managed: the CA is one of the system's, not the user's",
            correctClient: "a client that pins refuses; without pins it accepts by design",
            remedy: "a pin of the leaf's key or of the CA's; distrust of the user's CAs does not help",
            references: ["Android Network Security Configuration", "OWASP MASTG"],
            refusedBy: [.keys, .timestamps],
            audit: .impossible(.device)
        ) { staging, world in
            staging = .proxied(world)
            staging.adapt = {
                // Public CAs log their certificates, this one does not: platforms know it from them.
                $0.localAnchors = $0.userAnchors
                $0.userAnchors = []
            }
        },
    ]

    /// An unassigned identifier (RFC 5612, for documentation).
    private static let decoyExtension = "1.3.6.1.4.1.32473.1"
}

extension Staging {
    /// The same stage at another moment, to which the device's clock is set.
    fileprivate func at(_ moment: Timestamp) -> Staging {
        var staging = self
        staging.adapt = { $0.judgementTime = moment }
        return staging
    }
}
