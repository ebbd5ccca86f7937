import PinholeLock
package import PinholeModel

/// Makes and caches the leaves of intercepted hosts.
///
/// A leaf is reused for half of the time that it was still valid for when it was made. Leaves on P-256 have a key of their
/// own. Leaves with RSA share one key, because each RSA key takes some hundred milliseconds to make.
package final class LeafMinter: IdentityProvider {
    /// The authority that signs the leaves.
    package let authority: CertificateAuthority

    private let keyAlgorithm: KeyAlgorithm
    private let cache: Lock<LeafCache>
    private let stranger = Lock<CertificateAuthority?>(nil)
    /// The RSA key of all leaves; `nil` until the first of them is made.
    private let sharedKey = Lock<PrivateKey?>(nil)

    /// Creates a minter with an empty cache.
    ///
    /// - Parameters:
    ///   - authority: The authority that signs the leaves.
    ///   - cacheBytes: The approximate memory limit of the cache; 16 MiB hold about 2,000 leaves.
    ///   - keyAlgorithm: The kind of the leaves' keys; `nil` for that of ``CertificateAuthority/leafKeyAlgorithm``.
    package init(
        authority: CertificateAuthority,
        cacheBytes: Int = 16 * 1024 * 1024,
        keyAlgorithm: KeyAlgorithm? = nil
    ) {
        self.authority = authority
        self.keyAlgorithm = keyAlgorithm ?? authority.leafKeyAlgorithm
        cache = Lock(LeafCache(capacity: cacheBytes))
    }

    /// The leaf for `request` from the cache; `nil` if ``mint(_:now:)`` would have to make one.
    package func cached(_ request: LeafRequest, now: Timestamp) -> Identity? {
        cache.withLock { $0.identity(for: request, now: now) }
    }

    /// Returns the leaf for `request` from the cache, or makes one.
    ///
    /// The call takes some hundred microseconds, and the first one with RSA some hundred milliseconds. So it must not run
    /// on an event loop.
    ///
    /// - Parameters:
    ///   - request: The names and the fault of the leaf.
    ///   - now: The present.
    /// - Returns: The leaf, the chain above it, and its key.
    /// - Throws: ``CryptoFailure`` when the authority has expired or may not sign for a name.
    package func mint(_ request: LeafRequest, now: Timestamp) throws(CryptoFailure) -> Identity {
        if let known = cached(request, now: now) { return known }
        let identity = try make(request, now: now)
        return cache.withLock { cache in
            // Another thread may have made a leaf meanwhile. The first one wins, so that all clients see the same leaf.
            if let known = cache.identity(for: request, now: now) { return known }
            cache.insert(identity, for: request, now: now)
            return identity
        }
    }

    private func make(_ request: LeafRequest, now: Timestamp) throws(CryptoFailure) -> Identity {
        guard let host = request.names.first else {
            throw CryptoFailure("a leaf needs at least one name")
        }
        let key = try leafKey()
        var template = template(names: request.names, now: now)
        switch request.fault {
        case nil:
            break
        case .expired(let notBefore, let notAfter), .notYetValid(let notBefore, let notAfter):
            template.notBefore = notBefore
            template.notAfter = notAfter
        case .wrongName(let names):
            template.names = names
            template.commonName = names.first.flatMap(Self.commonName)
        case .untrusted:
            return try issue(template, key: key, by: try unknownAuthority(now: now))
        case .selfSigned:
            // The issuer must not be empty (RFC 5280 §4.1.2.4); in a self-signed certificate it is the subject.
            template.commonName = Self.commonName(host) ?? String(host.description.prefix(60))
            return try Identity(chain: [try template.signed(by: nil, key: key)], key: key)
        }
        try checkAuthority(mayName: template.names, now: now)
        return try issue(template, key: key, by: authority)
    }

    /// A new key, or the shared one with RSA.
    private func leafKey() throws(CryptoFailure) -> PrivateKey {
        guard keyAlgorithm.isRSA else { return try PrivateKey.generate(keyAlgorithm) }
        return try sharedKey.withLock { known throws(CryptoFailure) in
            if let known { return known }
            let made = try PrivateKey.generate(keyAlgorithm)
            known = made
            return made
        }
    }

    private func template(names: [Host], now: Timestamp) -> CertificateTemplate {
        let notBefore = max(now - LeafProfile.backdating, authority.notBefore)
        var template = CertificateTemplate(
            commonName: names.first.flatMap(Self.commonName),
            notBefore: notBefore,
            notAfter: min(notBefore + LeafProfile.validity, authority.notAfter)
        )
        template.names = names
        template.purposes = [.serverAuth]
        return template
    }

    private func issue(
        _ template: CertificateTemplate,
        key: PrivateKey,
        by authority: CertificateAuthority
    ) throws(CryptoFailure) -> Identity {
        let leaf = try template.signed(by: authority.identity, key: key)
        return try Identity(chain: authority.chain(below: leaf), key: key)
    }

    private func checkAuthority(mayName names: [Host], now: Timestamp) throws(CryptoFailure) {
        guard authority.notAfter > now else {
            throw CryptoFailure(authority.expiryWarning(now: now) ?? "the CA certificate has expired")
        }
        for name in names where !authority.permits(name) {
            throw CryptoFailure(
                "the CA “\(authority.certificate.subject)” may not sign for \(name): its name constraints "
                    + "permit other names only; pass the host through or make a CA that permits it"
            )
        }
    }

    /// An authority that no client trusts: it is made here and kept only in memory.
    private func unknownAuthority(now: Timestamp) throws(CryptoFailure) -> CertificateAuthority {
        try stranger.withLock { known throws(CryptoFailure) in
            if let authority = known, authority.notAfter - now > LeafProfile.validity { return authority }
            var options = CertificateAuthority.Options(machineName: "not to be trusted")
            options.keyAlgorithm = keyAlgorithm
            let made = try CertificateAuthority.create(options, now: now)
            known = made
            return made
        }
    }

    private static func commonName(_ host: Host) -> String? {
        host.name.flatMap { $0.utf8.count <= LeafProfile.longestCommonName ? $0 : nil }
    }
}
