import PinholeCrypto
import PinholeModel
import PinholeTrust

extension Scenario {
    /// The scenarios about connections besides the app's request: reports, a fallback after a refusal, new pins.
    package static let otherWays: [Scenario] = [
        Group.policy.scenario(
            "B33",
            "a pin mismatch that is reported",
            presents: "a leaf that the proxy minted; the client's report reaches its collector",
            precondition: "the proxy's CA is installed on the device, and the attacker lets reports through",
            correctClient: "refuses; it reports at least the mismatch",
            remedy: "a pin that is enforced, or a report that somebody reads",
            references: ["TrustKit TSKReportUris", "RFC 7469 2.1.4, 3"],
            refusedBy: [.systemPath, .keys, .timestamps],
            audit: .impossible(.unseen),
            conduct: refusedOrReported
        ) { (staging, world) throws(CryptoFailure) in staging = try .reporting(world) },
        Group.policy.scenario(
            "B34",
            "a pin mismatch whose report is blocked",
            presents: "a leaf that the proxy minted; reports are dropped on the way",
            precondition: "the proxy's CA is installed on the device",
            correctClient: "refuses, because a report may not arrive",
            remedy: "a pin that is enforced; a report is no substitute",
            references: ["TrustKit TSKReportUris", "RFC 7469 2.1.4, 4.4"],
            refusedBy: [.systemPath, .keys, .timestamps],
            audit: .impossible(.unseen),
            conduct: refusedOrReported
        ) { (staging, world) throws(CryptoFailure) in
            staging = try .reporting(world)
            staging.tampering = .dropsHandshake(LabWorld.reportHost.description)
        },
        Group.application.scenario(
            "B36",
            "interception until the client falls back",
            presents: "a leaf that the proxy minted, for every connection of the app",
            precondition: "the proxy's CA is installed on the device",
            correctClient: "refuses on every path to the server",
            remedy: "pins that hold for every connection of the app, its WebViews and libraries included",
            references: ["Pradeep et al., IMC 2022"],
            refusedBy: [.systemPath, .keys, .timestamps],
            audit: .impossible(.laterConnection),
            conduct: byAnyWay
        ) { staging, world in staging = .proxied(world) },
        Group.policy.scenario(
            "B38",
            "new pins from the man in the middle",
            presents:
                "certificates by the proxy's CA for the host and for the host of pin updates, which serves"
                + " the attacker's pins",
            precondition: "the proxy's CA is installed on the device; the app updates its pins",
            correctClient: "refuses: it takes signed pins only",
            remedy:
                "a signature over new pins by a key in the app, or new pins only in a new version of the app",
            references: ["RFC 7469 2.5", "OWASP MASTG"],
            refusedBy: [.systemPath, .keys, .timestamps],
            audit: .impossible(.laterConnection),
            conduct: afterPinUpdate
        ) { (staging, world) throws(CryptoFailure) in
            let identity = try LeafMinter(authority: world.proxyAuthority)
                .mint(LeafRequest(names: [world.host, LabWorld.updateHost]), now: world.now)
            staging.impostor = .presenting(identity)
            staging.installsProxyAuthority = true
            staging.otherHosts = [try world.honest.host(LabWorld.updateHost)]
            // An attacker who reads and changes everything on the way decides what the answer is.
            let pins = PinUpdate.document([identity.certificate.spkiSHA256], signature: [])
            staging.routes.set(PinUpdate.path) { $0.reply(200, type: "text/plain", body: pins) }
        },
    ]
}

extension Staging {
    /// A proxy that mints before the honest server, which takes reports of clients as well.
    fileprivate static func reporting(_ world: LabWorld) throws(CryptoFailure) -> Staging {
        var staging = Staging.proxied(world)
        let journal = staging.journal
        staging.collectsReports = true
        staging.otherHosts = [try world.honest.host(LabWorld.reportHost)]
        staging.routes.set(LabWorld.reportPath) { request in
            journal.note(LabJournal.report + String(decoding: request.body.prefix(200), as: UTF8.self))
            return request.reply(204)
        }
        return staging
    }
}
