/// The checks by which a client can refuse a server.
///
/// A mechanism names the checks that its sound settings make, a scenario of the lab names the checks that refuse it.
/// A sound setting pins a key of the leaf or of a CA, with a backup, and validates certificates.
package struct Safeguards: OptionSet, Hashable, Sendable {
    /// A bit for each check.
    package let rawValue: Int

    /// Creates the checks of these bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The libraries for TLS and HTTP, and the server itself: every client has this check.
    package static let library = Safeguards(rawValue: 1 << 0)
    /// A path to a CA that the device trusts.
    package static let validPath = Safeguards(rawValue: 1 << 1)
    /// A path to a CA of the device's maker: CAs that the user installed do not count.
    package static let systemPath = Safeguards(rawValue: 1 << 2)
    /// The host's name in the certificate.
    package static let name = Safeguards(rawValue: 1 << 3)
    /// The purpose of the certificate: servers.
    package static let purpose = Safeguards(rawValue: 1 << 4)
    /// The dates of the certificate, and the other rules of RFC 5280.
    package static let validity = Safeguards(rawValue: 1 << 5)
    /// The key of the leaf, with a backup.
    package static let leafKey = Safeguards(rawValue: 1 << 6)
    /// The key of the issuing CA, with a backup.
    package static let authorityKey = Safeguards(rawValue: 1 << 7)
    /// The key of the leaf alone, without a backup: the key that was seen before.
    package static let seenKey = Safeguards(rawValue: 1 << 8)
    /// The whole certificate of the leaf.
    package static let leafCertificate = Safeguards(rawValue: 1 << 9)
    /// Pins for every host, not only for the host that the policy names.
    package static let everyHost = Safeguards(rawValue: 1 << 10)
    /// Default handling of the hosts that the policy does not name.
    package static let otherHosts = Safeguards(rawValue: 1 << 11)
    /// The refusal of hosts that the policy does not name.
    package static let unknownHost = Safeguards(rawValue: 1 << 12)
    /// The refusal of a server at the first contact.
    package static let firstContact = Safeguards(rawValue: 1 << 13)
    /// The refusal of http.
    package static let cleartext = Safeguards(rawValue: 1 << 14)
    /// Signed certificate timestamps of several logs (RFC 6962), whoever installed the CA.
    package static let timestamps = Safeguards(rawValue: 1 << 15)
    /// Signed certificate timestamps, if the CA is one of the device's maker.
    package static let publicTimestamps = Safeguards(rawValue: 1 << 20)
    /// Signed certificate timestamps, of certificates by CAs of the device's maker.
    package static let logged: Safeguards = [.timestamps, .publicTimestamps]
    /// A stapled OCSP response, if the leaf requires one (RFC 7633).
    package static let staple = Safeguards(rawValue: 1 << 16)
    /// The refusal of a host's name that stands in the common name alone.
    package static let alternativeName = Safeguards(rawValue: 1 << 17)
    /// The refusal of RSA keys below 2048 bits.
    package static let longKeys = Safeguards(rawValue: 1 << 18)
    /// The refusal of signatures over SHA-1.
    package static let strongDigests = Safeguards(rawValue: 1 << 19)

    /// The checks that some verifiers leave out.
    static let optional: Safeguards = [.alternativeName, .longKeys, .strongDigests, .publicTimestamps]
    /// Default handling of certificates.
    package static let validation: Safeguards = [.validPath, .name, .purpose, .validity, .optional]
    /// Any pin of the leaf's key.
    package static let leafKeys: Safeguards = [.leafKey, .seenKey]
    /// Any pin of a key.
    package static let keys: Safeguards = [.leafKeys, .authorityKey]
}

extension [Safeguards] {
    /// The sound settings of a mechanism whose pins hold for the host that they name.
    package static let pinsForHost: [Safeguards] = [
        [.library, .validation, .leafKey, .otherHosts], [.library, .validation, .authorityKey, .otherHosts],
    ]

    /// The sound settings of any client that pins.
    package static let anyMechanism: [Safeguards] =
        [[.library, .validation, .leafKey, .everyHost], [.library, .validation, .authorityKey, .everyHost]]
        + pinsForHost

    /// The settings of a client with this verifier.
    func judged(by verifier: VerifierProfile) -> [Safeguards] {
        map { setting in
            guard setting.contains(.validity) else { return setting }
            return setting.subtracting(.optional).union(verifier.optionalChecks)
        }
    }

    /// The settings with further checks.
    func adding(_ more: Safeguards) -> [Safeguards] { map { $0.union(more) } }

    /// The settings within a policy that leaves other hosts to default handling.
    var limitedToHost: [Safeguards] {
        map { $0.subtracting([.everyHost, .unknownHost]).union(.otherHosts) }
    }
}

extension VerifierProfile {
    /// The checks of the verifier that others leave out.
    var optionalChecks: Safeguards {
        // OpenSSL has both limits from security level 2 on, which is the default.
        let hasLimits = isOpenSSL || algorithms.usesSecurityLevel
        var checks: Safeguards = transparency == nil ? [] : .publicTimestamps
        if leaf.commonName == .ignored { checks.insert(.alternativeName) }
        if hasLimits || algorithms.leastRSA >= 2048 { checks.insert(.longKeys) }
        if hasLimits || algorithms.refusedDigests.contains("SHA1") { checks.insert(.strongDigests) }
        return checks
    }
}
