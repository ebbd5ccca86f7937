import PinholeCrypto
import PinholeModel
import PinholeTrust

/// Generated certificates: what a real server has, and what attackers present in its place.
struct TestPKI: Sendable {
    /// A hierarchy of a root, an intermediate and what the latter signs.
    struct Hierarchy: Sendable {
        let root: CertificateFacts
        let intermediate: CertificateFacts
        let issuer: Identity
        let rootIdentity: Identity

        init(_ name: String) throws {
            let now = FakeFacts.now
            let year = Duration.seconds(365 * 86_400)
            var template = CertificateTemplate(
                commonName: "\(name) Root CA",
                notBefore: now - year,
                notAfter: now + year
            )
            template.role = .authority(pathLength: nil)
            let rootKey = try PrivateKey.generateP256()
            let rootIdentity = try Identity(chain: [template.signed(by: nil, key: rootKey)], key: rootKey)
            template.commonName = "\(name) Issuing CA"
            template.role = .authority(pathLength: 0)
            let key = try PrivateKey.generateP256()
            let certificate = try template.signed(by: rootIdentity, key: key)
            issuer = try Identity(chain: [certificate], key: key)
            root = rootIdentity.certificate.facts
            self.rootIdentity = rootIdentity
            intermediate = certificate.facts
        }

        /// A leaf for a host.
        func leaf(_ host: String, key: PrivateKey, expired: Bool = false) throws -> CertificateFacts {
            try TestPKI.template(host, expired: expired).signed(by: issuer, key: key).facts
        }
    }

    static let host = "api.pinned.test"
    static let otherHost = "other.test"

    /// The public CA of the server; its root is in the device's store.
    let publicCA: Hierarchy
    /// A private CA; its root is not.
    let privateCA: Hierarchy
    /// The proxy's or a rogue CA; its root is.
    let proxyCA: Hierarchy
    /// The key of the server.
    let key: PrivateKey
    /// Of someone else.
    let otherKey: PrivateKey
    /// A certificate that has nothing to do with it.
    let wrong: CertificateFacts

    init() throws {
        publicCA = try Hierarchy("Public")
        privateCA = try Hierarchy("Private")
        proxyCA = try Hierarchy("Proxy")
        key = try PrivateKey.generateP256()
        otherKey = try PrivateKey.generateP256()
        wrong = try Self.selfSigned("wrong.test", key: PrivateKey.generateP256())
    }

    /// What every leaf says.
    static func template(_ host: String, expired: Bool) -> CertificateTemplate {
        let now = FakeFacts.now
        let day = Duration.seconds(86_400)
        var template = CertificateTemplate(
            commonName: nil,
            notBefore: now - day * 30,
            notAfter: expired ? now - day : now + day * 30
        )
        template.names = [.name(host)]
        template.purposes = [.serverAuth]
        return template
    }

    /// What a certificate authority of its own says.
    static func authority(_ name: String) -> CertificateTemplate {
        var template = template(host, expired: false)
        template.commonName = name
        template.names = []
        template.purposes = []
        template.role = .authority(pathLength: 0)
        return template
    }

    /// A certificate that is signed by its own key.
    static func selfSigned(_ host: String, key: PrivateKey, expired: Bool = false) throws -> CertificateFacts
    {
        var template = template(host, expired: expired)
        template.commonName = host
        return try template.signed(by: nil, key: key).facts
    }

    /// A leaf with another's key that names the public CA as its issuer and is not signed by it (A08).
    ///
    /// - Parameter identifier: The authorityKeyIdentifier, which anybody can copy; `nil` for none.
    /// - Returns: The leaf, and the real intermediate above it.
    /// - Throws: When OpenSSL cannot sign.
    func forged(identifier: [UInt8]?) throws -> [CertificateFacts] {
        var leaf = CraftedCertificate(
            serial: [1],
            subject: Self.host,
            notBefore: FakeFacts.now - .seconds(86_400),
            notAfter: FakeFacts.now + .seconds(86_400),
            key: otherKey
        )
        leaf.setBasicConstraints(authority: false)
        leaf.setNames([.dns(Self.host)])
        leaf.setPurposes([CraftedCertificate.serverAuth])
        leaf.set(
            CraftedCertificate.authorityKeyIdentifier,
            identifier.map { ASN1.sequence(ASN1.context(0, $0)) }
        )
        let der = try leaf.signed(by: "Public Issuing CA", otherKey)
        return [try Certificate(der: der).facts, publicCA.intermediate]
    }

    /// Evidence on a device that trusts the public CA and the proxy's.
    func evidence(_ chain: [CertificateFacts], host: String? = TestPKI.host) -> Evidence {
        Evidence(
            host: host.map { .name($0) },
            presented: PresentedChain(chain),
            anchors: [publicCA.root, proxyCA.root],
            time: FakeFacts.now
        )
    }
}
