package import PinholeCrypto
package import PinholeModel

/// The little certificate authority of an origin: a root, an issuing CA below it, and their certificates.
///
/// The authority exists only in memory. Clients that have to trust the origin get ``root``.
package struct OriginAuthority: Sendable {
    /// The certificate that the origin's clients have to trust.
    package let root: Certificate
    private let issuer: Identity
    private let minter: LeafMinter

    /// Makes a new authority.
    ///
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package init(now: Timestamp) throws(CryptoFailure) {
        let year = Duration.seconds(365 * 86_400)
        // Expired leaves have to begin within the validity of their issuer.
        var template = CertificateTemplate(
            commonName: "Example Test Root CA",
            notBefore: now - year,
            notAfter: now + year
        )
        template.organization = "Example Test"
        template.role = .authority(pathLength: 1)
        let rootKey = try PrivateKey.generateP256()
        let rootIdentity = try Identity(chain: [template.signed(by: nil, key: rootKey)], key: rootKey)

        template.commonName = "Example Test Issuing CA"
        template.role = .authority(pathLength: 0)
        let issuerKey = try PrivateKey.generateP256()
        let issuing = try template.signed(by: rootIdentity, key: issuerKey)

        root = rootIdentity.certificate
        issuer = try Identity(chain: [issuing, root], key: issuerKey)
        minter = LeafMinter(authority: try CertificateAuthority(identity: issuer))
    }

    /// Returns the identity that a virtual host presents: its own, or a new leaf with the issuing CA and the root.
    ///
    /// - Returns: The chain and the key.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package func identity(for host: VirtualHost, now: Timestamp) throws(CryptoFailure) -> Identity {
        if let identity = host.identity { return identity }
        return try minter.mint(LeafRequest(names: [host.name], fault: host.fault), now: now)
    }

    /// Makes a client certificate that the origin accepts.
    ///
    /// - Parameters:
    ///   - name: Its common name.
    ///   - now: The present.
    /// - Returns: The chain and the key.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package func clientIdentity(named name: String, now: Timestamp) throws(CryptoFailure) -> Identity {
        let day = Duration.seconds(86_400)
        var template = CertificateTemplate(commonName: name, notBefore: now - day, notAfter: now + day * 90)
        template.organization = "Example Test"
        template.purposes = [.clientAuth]
        let key = try PrivateKey.generateP256()
        return try Identity(chain: [template.signed(by: issuer, key: key)] + issuer.chain, key: key)
    }
}
