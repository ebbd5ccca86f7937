import PinholeModel
import PinholeTrust
import Testing

@Suite("AppleTransportSecurity")
struct AppleTransportSecurityTests {
    private static let root = Synthetic.certificate(
        "root",
        key: .rsa(1024),
        signature: "sha1WithRSAEncryption",
        digest: "SHA1"
    )

    private func failures(
        _ security: AppleTransportSecurity = AppleTransportSecurity(),
        leaf: CertificateFacts = Synthetic.certificate("leaf", by: "root"),
        host: String = "example.com",
        _ connection: ConnectionFacts? = nil
    ) throws -> [String] {
        let path = ValidatedChain([leaf, Self.root])
        return security.checks(of: path, host: try Host(host), connection: connection)
            .filter { $0.outcome == .failed }.map(\.name)
    }

    @Test(
        "asks for RSA of 2048 bits or EC of 256, the anchor left out",
        arguments: [
            (CertificateFacts.Key.rsa(1024), false), (.rsa(2047), false), (.rsa(2048), true),
            (.curve("prime256v1"), true), (.curve("secp384r1"), true), (.curve("secp224r1"), false),
            (.curve("secp160r1"), false), (.curve("prime239v1"), false), (.curve("sect283k1"), false),
            (.other("DSA"), false), (.other("EC with explicit parameters"), false),
        ]
    )
    func keys(key: CertificateFacts.Key, isEnough: Bool) throws {
        let leaf = Synthetic.certificate("leaf", by: "root", key: key)
        #expect(try failures(leaf: leaf) == (isEnough ? [] : ["ATS keys"]))
    }

    @Test(
        "asks for SHA-256 or better",
        arguments: [
            ("sha256WithRSAEncryption", "SHA256", true), ("ecdsa-with-SHA384", "SHA384", true),
            ("rsassaPss", "SHA512", true), ("rsassaPss", "SHA1", false),
            ("ecdsa-with-SHA224", "SHA224", false),
            ("sha1WithRSAEncryption", "SHA1", false), ("md5WithRSAEncryption", "MD5", false),
            ("ED25519", nil, false),
        ] as [(String, String?, Bool)]
    )
    func signatures(algorithm: String, digest: String?, isEnough: Bool) throws {
        let leaf = Synthetic.certificate("leaf", by: "root", signature: algorithm, digest: digest)
        #expect(try failures(leaf: leaf) == (isEnough ? [] : ["ATS signatures"]))
    }

    @Test(
        "asks for TLS 1.2 and ECDHE, where there was a handshake",
        arguments: [
            ("TLSv1.3", "TLS_AES_128_GCM_SHA256", [String]()),
            ("TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", []),
            ("TLSv1.2", "TLS_RSA_WITH_AES_128_GCM_SHA256", ["ATS forward secrecy"]),
            ("TLSv1.2", "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", ["ATS forward secrecy"]),
            ("TLSv1.1", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", ["ATS version"]),
            ("TLSv1", "TLS_RSA_WITH_AES_128_CBC_SHA", ["ATS version", "ATS forward secrecy"]),
        ]
    )
    func connections(version: String, cipher: String, failed: [String]) throws {
        #expect(try failures(ConnectionFacts(version: version, cipher: cipher)) == failed)
    }

    private func failures(_ connection: ConnectionFacts) throws -> [String] {
        try failures(AppleTransportSecurity(), connection)
    }

    @Test(
        "is not applied to addresses, unqualified names and .local",
        arguments: ["192.0.2.1", "::1", "nas", "nas.local"]
    )
    func exempt(host: String) throws {
        let weak = Synthetic.certificate("leaf", by: "root", key: .rsa(512))
        #expect(try failures(leaf: weak, host: host).isEmpty)
    }

    @Test("NSAllowsArbitraryLoads holds where no entry and no narrower key is")
    func arbitraryLoads() throws {
        let weak = Synthetic.certificate("leaf", by: "root", key: .rsa(512))
        var security = AppleTransportSecurity()
        security.allowsArbitraryLoads = true
        #expect(try failures(security, leaf: weak).isEmpty)
        security.exceptions["example.com"] = AppleTransportSecurity.Exception()
        #expect(try failures(security, leaf: weak) == ["ATS keys"])
        security.exceptions = [:]
        security.hasNarrowerKeys = true
        #expect(try failures(security, leaf: weak) == ["ATS keys"])
    }

    @Test(
        "NSExceptionRequiresForwardSecrecy NO drops the length of keys, too; http loads change nothing for https"
    )
    func exceptions() throws {
        let weak = Synthetic.certificate("leaf", by: "root", key: .rsa(512))
        var security = AppleTransportSecurity()
        var exception = AppleTransportSecurity.Exception()
        exception.allowsInsecureHTTPLoads = true
        security.exceptions["example.com"] = exception
        #expect(try failures(security, leaf: weak) == ["ATS keys"])
        exception.requiresForwardSecrecy = false
        exception.minimumTLSVersion = "TLSv1.0"
        security.exceptions["example.com"] = exception
        let old = ConnectionFacts(version: "TLSv1", cipher: "TLS_RSA_WITH_AES_128_CBC_SHA")
        #expect(try failures(security, leaf: weak, old).isEmpty)
    }

    @Test("NSIncludesSubdomains of an exception means one label more")
    func subdomains() {
        var security = AppleTransportSecurity()
        var exception = AppleTransportSecurity.Exception()
        exception.includesSubdomains = true
        security.exceptions["example.com"] = exception
        #expect(security.exception(for: "a.example.com") != nil)
        #expect(security.exception(for: "b.a.example.com") == nil)
    }

    @Test(
        "http needs an exception, or a host that ATS is not applied to",
        arguments: [
            ("a.test", true), ("ok.test", false), ("sub.ok.test", false), ("strict.test", true),
            ("printer.local", false), ("printer", false), ("192.0.2.1", false),
        ]
    )
    func cleartext(host: String, isRefused: Bool) throws {
        var security = AppleTransportSecurity()
        var open = AppleTransportSecurity.Exception()
        open.allowsInsecureHTTPLoads = true
        open.includesSubdomains = true
        security.exceptions = ["ok.test": open, "strict.test": AppleTransportSecurity.Exception()]
        #expect((security.refusalOfCleartext(to: try Host(host)) != nil) == isRefused)
        var lax = AppleTransportSecurity()
        lax.allowsArbitraryLoads = true
        #expect(lax.refusalOfCleartext(to: try Host(host)) == nil)
    }
}
