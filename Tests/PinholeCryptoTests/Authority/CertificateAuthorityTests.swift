import PinholeCrypto
import PinholeModel
import Testing

@Suite("CertificateAuthority")
struct CertificateAuthorityTests {
    private func authority(
        _ change: (inout CertificateAuthority.Options) -> Void = { _ in }
    ) throws
        -> CertificateAuthority
    {
        var options = CertificateAuthority.Options(machineName: "laptop")
        change(&options)
        return try .create(options, now: .noon)
    }

    @Test("is a root that a person recognises")
    func root() throws {
        let authority = try authority()
        let root = authority.root
        #expect(authority.identity.chain == [root])
        #expect(root.subject == "CN=Pinhole CA (laptop 2026-11-21),O=Pinhole interception proxy")
        #expect(root.isAuthority)
        #expect(root.isSelfSigned)
        #expect(root.pathLength == 0)
        #expect(root.keyDescription == "P-256")
        #expect(root.subjectKeyIdentifier?.count == 20)
        #expect(root.notBefore == .noon - .seconds(7200))
        #expect(root.notAfter == .noon + .days(3652))
        #expect(root.text.contains("X509v3 Basic Constraints: critical\n                CA:TRUE, pathlen:0"))
        #expect(
            root.text.contains("X509v3 Key Usage: critical\n                Certificate Sign, CRL Sign\n")
        )
        #expect(!root.text.contains("Extended Key Usage"))
    }

    @Test("cuts a long machine name to the length of a common name")
    func longName() throws {
        let authority = try authority { $0.machineName = String(repeating: "m\u{fc}", count: 60) + "\n" }
        #expect(authority.root.subject.hasPrefix("CN=Pinhole CA (m\u{fc}m"))
        #expect(authority.root.subject.contains(" 2026-11-21)"))
        let constrained = try self.authority {
            $0.machineName = String(repeating: "m", count: 300)
            $0.permittedDomains = ["example.com"]
        }
        #expect(constrained.certificate.subject.hasPrefix("CN=Pinhole issuing CA (mmm"))
        #expect(
            try self.authority { $0.machineName = "" }.root.subject.hasPrefix("CN=Pinhole CA (2026-11-21)")
        )
    }

    @Test("with permitted domains is a keyless root and a constrained issuer below it")
    func constrained() throws {
        let authority = try authority { $0.permittedDomains = ["example.com"] }
        #expect(authority.identity.chain.count == 2)
        #expect(authority.root.isSelfSigned)
        #expect(authority.root.pathLength == 1)
        #expect(authority.root.nameConstraints == authority.certificate.nameConstraints)
        #expect(authority.certificate.isIssued(by: authority.root))
        #expect(authority.certificate.pathLength == 0)
        // Name constraints do not limit what is signed for e-mail and programs.
        #expect(
            authority.certificate.text.contains(
                "X509v3 Extended Key Usage: \n                TLS Web Server Authentication\n"
            )
        )
        #expect(authority.certificate.spki == authority.identity.key.spki)
        #expect(authority.root.spki != authority.identity.key.spki)
        #expect(authority.permits(.name("www.example.com")))
        #expect(!authority.permits(.name("example.org")))
        #expect(try !authority.permits(Host("127.0.0.1")))
        #expect(try self.authority().permits(Host("127.0.0.1")))
    }

    @Test("warns within 60 days before its end and after it")
    func expiry() throws {
        let authority = try authority { $0.validity = .days(100) }
        #expect(authority.expiryWarning(now: .noon) == nil)
        #expect(authority.expiryWarning(now: .noon + .days(40)) == nil)
        let soon = authority.expiryWarning(now: .noon + .days(41))
        #expect(soon?.contains("expires on 2027-03-01, in 59 days; remove it (pinhole ca uninstall)") == true)
        #expect(authority.expiryWarning(now: .noon + .days(99))?.contains("in 1 day;") == true)
        let over = authority.expiryWarning(now: .noon + .days(101))
        #expect(over?.contains("expired on 2027-03-01; ") == true)
    }

    @Test("takes a brought chain and sends all of it")
    func brought() throws {
        let chain = try BroughtChain(now: .noon)
        let pem = try chain.middle.pem + chain.issuing.pem + chain.root.pem + chain.issuingKey.pem
        let authority = try CertificateAuthority(identity: Identity(pem: pem))
        #expect(authority.root == chain.root)
        #expect(authority.certificate == chain.issuing)
        let leaf = try LeafMinter(authority: authority).mint(
            LeafRequest(names: [.name("a.example")]),
            now: .noon
        )
        #expect(Array(leaf.chain.dropFirst()) == [chain.issuing, chain.middle, chain.root])
    }

    @Test("refuses a certificate that may not sign")
    func noAuthority() throws {
        let key = try PrivateKey.generateP256()
        let template = CertificateTemplate(commonName: "leaf", notBefore: .noon, notAfter: .noon + .days(1))
        let leaf = try Identity(chain: [template.signed(by: nil, key: key)], key: key)
        let failure = #expect(throws: CryptoFailure.self) { try CertificateAuthority(identity: leaf) }
        #expect(
            failure?.description.contains("“CN=leaf” is not a certificate authority: expected basic") == true
        )
    }

    @Test("refuses a chain that is longer than its root permits")
    func pathLength() throws {
        let key = try PrivateKey.generateP256()
        var template = CertificateTemplate(commonName: "root", notBefore: .noon, notAfter: .noon + .days(1))
        template.role = .authority(pathLength: 0)
        let root = try Identity(chain: [template.signed(by: nil, key: key)], key: key)
        template.commonName = "below"
        let below = try Identity(chain: [template.signed(by: root, key: key), root.certificate], key: key)
        let failure = #expect(throws: CryptoFailure.self) { try CertificateAuthority(identity: below) }
        #expect(failure?.description == "“CN=root” permits 0 authorities below it, the chain has 1")
    }

    @Test("refuses a permitted domain that is invalid")
    func badDomain() {
        #expect(throws: CryptoFailure.self) { try authority { $0.permittedDomains = ["a b"] } }
    }
}
