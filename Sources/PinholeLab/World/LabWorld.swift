package import PinholeCrypto
package import PinholeModel
import PinholeRuntime
package import PinholeTrust

/// The certificates of one run of the lab, all made anew: those of the honest server, of its pins, and of all
/// attackers.
///
/// The certificates are never written to a disk, and nothing outside the lab trusts them. A proxy's CA that the caller
/// hands in belongs to the caller.
package struct LabWorld: Sendable {
    /// The host that clients mean and pin.
    package let host: Host
    /// The time around which all certificates are valid.
    package let now: Timestamp
    /// The logs to which public CAs submit their certificates.
    package let logs: LabLogs
    /// The public CA of the honest server; the device trusts its root.
    package let honest: LabHierarchy
    /// Another public CA, which the device trusts as well: compromised, or cheated.
    package let rogue: LabHierarchy
    /// A CA that no device trusts.
    package let stranger: LabHierarchy
    /// The issuing CA that the honest server would change to; its key is pinned as a backup.
    package let backupIssuer: Identity
    /// The proxy's CA, as `pinhole ca init` makes it.
    package let proxyAuthority: CertificateAuthority
    /// The identity of the honest server: its leaf and the issuing CA.
    package let identity: Identity
    /// The key that the honest server would change to; it is pinned as a backup.
    package let backupKey: PrivateKey
    /// The certificate for the backup key that the honest server holds ready; policies that pin certificates pin it.
    package let backupIdentity: Identity
    /// A key of the attacker.
    package let attackerKey: PrivateKey
    /// The identity of another server of the same app, by the same CA, whose key an attacker has stolen.
    package let sibling: Identity
    /// The identity that the app presents if a server asks for a client certificate.
    package let clientIdentity: Identity
    /// The key of the app's publisher; its public half is in the app.
    package let publisherKey: PrivateKey

    /// Makes a world.
    ///
    /// - Parameters:
    ///   - host: The host that clients ask for; a name.
    ///   - authority: The CA of a proxy that already exists; `nil` to make a new one.
    ///   - now: The present.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package init(
        host: Host = LabWorld.standardHost,
        proxyAuthority authority: CertificateAuthority? = nil,
        now: Timestamp = LoopClock().now()
    ) throws(CryptoFailure) {
        // Validities are whole seconds.
        let now = Timestamp(seconds: now.seconds)
        self.host = host
        self.now = now
        logs = try LabLogs(now: now)
        honest = try LabHierarchy("Honest Trust", now: now, logs: logs)
        rogue = try LabHierarchy("Careless Trust", now: now, logs: logs)
        stranger = try LabHierarchy("Nobody's Trust", now: now, logs: logs)
        backupIssuer = try LabHierarchy.subordinate(
            "Honest Trust Issuing CA 2",
            below: honest.root,
            key: PrivateKey.generateP256(),
            now: now
        )
        if let authority {
            proxyAuthority = authority
        } else {
            proxyAuthority = try CertificateAuthority.create(.init(machineName: "pinning lab"), now: now)
        }
        identity = try honest.leaf(for: [host], key: PrivateKey.generateP256())
        backupKey = try PrivateKey.generateP256()
        backupIdentity = try honest.leaf(for: [host], key: backupKey)
        attackerKey = try PrivateKey.generateP256()
        sibling = try honest.leaf(for: [Self.siblingHost], key: PrivateKey.generateP256())
        clientIdentity = try honest.leaf(for: [], key: PrivateKey.generateP256()) {
            $0.commonName = "an app of the lab"
            $0.purposes = [.clientAuth]
        }
        publisherKey = try PrivateKey.generateP256()
    }

    /// The host of the lab unless the user names another one.
    package static let standardHost = Host.name("api.pinned.test")

    /// A host of the attacker; no policy of the lab knows it.
    package static let attackerHost = Host.name("attacker.test")

    /// Another host of the same app.
    package static let siblingHost = Host.name("media.pinned.test")

    /// The host that collects the app's reports about mismatches.
    package static let reportHost = Host.name("reports.pinned.test")

    /// The path to which the app sends its reports.
    package static let reportPath = "/pin-report"

    /// The host from which the app gets new pins.
    package static let updateHost = Host.name("updates.pinned.test")

    /// The name and the password that the app has at the honest server.
    package static let login = (user: "alice", password: "open sesame")

    /// The time at which pins with an expiry date expire.
    package var pinExpiry: Timestamp { now + .seconds(7 * 86_400) }

    /// The time on the devices' clocks after the pins have expired.
    package var afterPinExpiry: Timestamp { pinExpiry + .seconds(7 * 86_400) }

    /// The roots that every device of the lab trusts.
    package var deviceRoots: [CertificateFacts] { [honest.root, rogue.root].map(\.certificate.facts) }

    /// The proxy's CA, as a device that has it installed knows it.
    package var proxyRoot: CertificateFacts { proxyAuthority.root.facts }
}

// MARK: What policies pin

extension LabWorld {
    /// The honest server's certificate.
    package var leaf: CertificateFacts { identity.certificate.facts }
    /// The issuing CA of the honest server.
    package var intermediate: CertificateFacts { honest.issuer.certificate.facts }
    /// The root of the honest server.
    package var root: CertificateFacts { honest.root.certificate.facts }

    /// The pins of the leaf's key and of its backup.
    package var leafPins: [Pin] {
        [Pin(digest: leaf.spkiSHA256), Pin(digest: Digest.sha256(backupKey.spki))].compactMap { $0 }
    }

    /// The pins of the leaf's key, of its backup, and of another host's key, as in a list that is not kept apart by
    /// host.
    package var pooledPins: [Pin] {
        leafPins + [Pin(digest: sibling.certificate.spkiSHA256)].compactMap { $0 }
    }

    /// The pins of the issuing CA's key and of its backup.
    package var authorityPins: [Pin] {
        [intermediate, backupIssuer.certificate.facts].compactMap { Pin(digest: $0.spkiSHA256) }
    }
}
