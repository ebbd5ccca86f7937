import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeTestKit
import Testing

@Suite("LeafMinter")
struct LeafMinterTests {
    private let authority: CertificateAuthority
    private let minter: LeafMinter

    init() throws {
        authority = try .create(.init(machineName: "test"), now: .noon - .days(100))
        minter = LeafMinter(authority: authority)
    }

    private func leaf(_ names: String..., fault: LeafFault? = nil) throws -> Certificate {
        let names = try names.map { try Host($0) }
        return try minter.mint(LeafRequest(names: names, fault: fault), now: .noon).certificate
    }

    @Test("makes leaves of the profile")
    func profile() throws {
        let leaf = try leaf("www.example.com")
        #expect(leaf.subject == "CN=www.example.com")
        #expect(leaf.issuer == authority.certificate.subject)
        #expect(leaf.subjectAlternativeNames == [.name("www.example.com")])
        #expect(leaf.notBefore == .noon - .seconds(7200))
        #expect(leaf.notAfter - leaf.notBefore <= .days(45))
        #expect(leaf.notAfter - leaf.notBefore >= .days(44))
        #expect(leaf.authorityKeyIdentifier == authority.certificate.subjectKeyIdentifier)
        #expect(leaf.subjectKeyIdentifier == nil)
        #expect(leaf.keyDescription == "P-256")
        #expect(leaf.spki != authority.certificate.spki)
        for line in [
            "Version: 3 (0x2)", "X509v3 Basic Constraints: critical\n                CA:FALSE",
            "X509v3 Key Usage: critical\n                Digital Signature\n",
            "X509v3 Extended Key Usage: \n                TLS Web Server Authentication\n",
            "X509v3 Subject Alternative Name: \n",
        ] {
            #expect(leaf.text.contains(line), "\(line)")
        }
        #expect(!leaf.text.contains("CRL Distribution") && !leaf.text.contains("Authority Information"))
    }

    @Test("gives each leaf a positive random serial of 120 to 159 bits and a key of its own")
    func serials() throws {
        var serials: Set<String> = []
        var keys: Set<[UInt8]> = []
        for index in 0..<200 {
            let leaf = try leaf("host-\(index).example.com")
            let first = try #require(UInt8(leaf.serial.prefix(2), radix: 16))
            let bits = leaf.serial.count * 4 - first.leadingZeroBitCount
            #expect((120...159).contains(bits))
            serials.insert(leaf.serial)
            keys.insert(leaf.spki)
        }
        #expect(serials.count == 200)
        #expect(keys.count == 200)
    }

    @Test(
        "leaves the subject empty and the names critical where the host is no common name",
        arguments: ["192.0.2.1", "2001:db8::1", String(repeating: "a", count: 52) + ".example.com"]
    )
    func emptySubject(host: String) throws {
        let leaf = try leaf(host)
        #expect(leaf.subject == "")
        #expect(leaf.text.contains("X509v3 Subject Alternative Name: critical"))
        #expect(try leaf.subjectAlternativeNames == [Host(host)])
        #expect(try leaf.matches(Host(host)))
    }

    @Test("signs as strongly as the key of the authority")
    func digests() throws {
        for (algorithm, expected) in [
            (KeyAlgorithm.p256, "ecdsa-with-SHA256"), (.p384, "ecdsa-with-SHA384"),
            (.rsa2048, "sha256WithRSAEncryption"),
        ] {
            var options = CertificateAuthority.Options(machineName: "test")
            options.keyAlgorithm = algorithm
            let minter = LeafMinter(authority: try .create(options, now: .noon))
            let leaf = try minter.mint(LeafRequest(names: [.name("a.example")]), now: .noon)
            #expect(leaf.certificate.signatureAlgorithm == expected)
            // A client without elliptic curves takes an RSA leaf alone, and could not use a P-256 one.
            #expect(leaf.certificate.keyDescription == (algorithm == .rsa2048 ? "RSA 2048" : "P-256"))
        }
    }

    @Test("leaves with RSA share one key, and leaves on P-256 have a key each")
    func keys() throws {
        for algorithm in [KeyAlgorithm.rsa2048, .p256] {
            let minter = LeafMinter(authority: authority, keyAlgorithm: algorithm)
            let keys = try ["a.example", "b.example"].map { name in
                try minter.mint(LeafRequest(names: [.name(name)]), now: .noon).key.spki
            }
            #expect((keys[0] == keys[1]) == (algorithm == .rsa2048))
        }
    }

    @Test("adds keyEncipherment for an RSA key")
    func rsaLeaf() throws {
        let minter = LeafMinter(authority: authority, keyAlgorithm: .rsa2048)
        let leaf = try minter.mint(LeafRequest(names: [.name("a.example")]), now: .noon).certificate
        #expect(leaf.keyDescription == "RSA 2048")
        #expect(leaf.text.contains("Digital Signature, Key Encipherment\n"))
    }

    @Test("stays within the validity of the authority, and stops at its end")
    func bounds() throws {
        var options = CertificateAuthority.Options(machineName: "test")
        options.validity = .days(30)
        let authority = try CertificateAuthority.create(options, now: .noon)
        let minter = LeafMinter(authority: authority)
        let request = LeafRequest(names: [.name("a.example")])
        let early = try minter.mint(request, now: .noon - .seconds(600)).certificate
        #expect(early.notBefore == authority.notBefore)
        #expect(early.notAfter == authority.notAfter)
        let late = LeafRequest(names: [.name("b.example")])
        #expect(try minter.mint(late, now: .noon + .days(29)).certificate.notAfter == authority.notAfter)
        let failure = #expect(throws: CryptoFailure.self) {
            try minter.mint(LeafRequest(names: [.name("c.example")]), now: .noon + .days(31))
        }
        #expect(failure?.description.contains("expired on 2026-12-21") == true)
    }

    @Test(
        "computes the key identifier of an authority that stores none",
        .enabled(if: Tool(name: "openssl").isThere)
    )
    func missingIdentifier() throws {
        let directory = try TemporaryDirectory()
        let result = try Tool(name: "openssl").run([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=brought", "-days", "30",
            "-addext", "subjectKeyIdentifier=none", "-addext", "authorityKeyIdentifier=none",
            "-keyout", "\(directory.path)/key.pem", "-out", "\(directory.path)/root.pem",
        ])
        #expect(result.code == 0, "\(result.output)")
        let pem = try bytesOfFile("\(directory.path)/root.pem") + bytesOfFile("\(directory.path)/key.pem")
        let identity = try Identity(pem: String(decoding: pem, as: UTF8.self))
        #expect(identity.certificate.subjectKeyIdentifier == nil)
        let minter = LeafMinter(authority: try CertificateAuthority(identity: identity))
        let leaf = try minter.mint(LeafRequest(names: [.name("a.example")]), now: .present).certificate
        #expect(leaf.authorityKeyIdentifier?.count == 20)
        let file = try directory.write(leaf.pem, to: "leaf.pem")
        let verified = try Tool(name: "openssl").run([
            "verify", "-CAfile", "\(directory.path)/root.pem", file,
        ])
        #expect(verified.code == 0, "\(verified.output)")
    }

    @Test("forges the fault that was asked for")
    func faults() throws {
        let past = LeafFault.expired(notBefore: .noon - .days(400), notAfter: .noon - .days(35))
        let expired = try leaf("a.example", fault: past)
        #expect(expired.notBefore == .noon - .days(400))
        #expect(expired.notAfter == .noon - .days(35))
        let other = try leaf(
            "a.example",
            fault: .wrongName(names: [.name("*.b.example"), .name("c.example")])
        )
        #expect(other.subject == "CN=*.b.example")
        #expect(!other.matches(.name("a.example")))
        #expect(other.matches(.name("x.b.example")))
        let stranger = try minter.mint(
            LeafRequest(names: [.name("a.example")], fault: .untrusted),
            now: .noon
        )
        #expect(stranger.chain.count == 2)
        #expect(stranger.chain[1].isSelfSigned)
        #expect(stranger.chain[1] != authority.root)
        #expect(stranger.certificate.isIssued(by: stranger.chain[1]))
        let alone = try minter.mint(LeafRequest(names: [try Host("::1")], fault: .selfSigned), now: .noon)
        #expect(alone.chain.count == 1)
        #expect(alone.certificate.isSelfSigned)
        #expect(!alone.certificate.isAuthority)
        #expect(alone.certificate.subject == "CN=::1")
    }

    @Test("refuses no names, names that cannot be written, and names that the authority may not sign for")
    func refusals() throws {
        var options = CertificateAuthority.Options(machineName: "test")
        options.permittedDomains = ["example.com"]
        let constrained = LeafMinter(authority: try .create(options, now: .noon))
        let failure = #expect(throws: CryptoFailure.self) {
            try constrained.mint(LeafRequest(names: [.name("example.org")]), now: .noon)
        }
        #expect(failure?.description.contains("may not sign for example.org: its name constraints") == true)
        #expect(throws: CryptoFailure.self) { try minter.mint(LeafRequest(names: []), now: .noon) }
        #expect(throws: CryptoFailure.self) {
            try minter.mint(LeafRequest(names: [.name("a\0b")]), now: .noon)
        }
    }

    @Test("shows one leaf to all, also when many ask at once")
    func sharing() async throws {
        let request = LeafRequest(names: [.name("busy.example")])
        #expect(minter.cached(request, now: .noon) == nil)
        let seen = Lock<Set<Certificate>>([])
        let minter = minter
        await atOnce(32, width: 8) { _ in
            guard let leaf = try? minter.mint(request, now: .noon) else { return }
            seen.withLock { _ = $0.insert(leaf.certificate) }
        }
        #expect(seen.withLock { $0.count } == 1)
        #expect(minter.cached(request, now: .noon)?.certificate == seen.withLock { $0.first })
    }

    @Test("makes a new leaf long before the old one ends, or when the clock was set back")
    func renewal() throws {
        let request = LeafRequest(names: [.name("a.example")])
        let first = try minter.mint(request, now: .noon).certificate
        #expect(try minter.mint(request, now: .noon + .days(20)).certificate == first)
        let second = try minter.mint(request, now: .noon + .days(23)).certificate
        #expect(second != first)
        let third = try minter.mint(request, now: .noon).certificate
        #expect(third != second)
        #expect(third.notBefore < .noon)
    }
}
