import PinholeCrypto
import PinholeModel
import Testing

@Suite("NameConstraints")
struct NameConstraintsTests {
    @Test(
        "permits the listed names and their subdomains",
        arguments: [
            ("example.com", true), ("www.example.com", true), ("a.b.example.com", true),
            ("badexample.com", false),
            ("example.org", false), ("10.1.255.1", true), ("10.2.0.1", false), ("2001:db8::1", false),
        ]
    )
    func permits(host: String, expected: Bool) throws {
        let constraints = try NameConstraints(permitting: ["*.Example.com", "10.1.2.3/16"])
        #expect(try constraints.permits(Host(host)) == expected)
    }

    @Test("permits no address where only names are listed, and no name where only addresses are")
    func otherKinds() throws {
        let names = try NameConstraints(permitting: ["example.com"])
        #expect(try !names.permits(Host("192.0.2.1")))
        #expect(try !names.permits(Host("2001:db8::1")))
        let addresses = try NameConstraints(permitting: ["2001:db8::/33", "2001:db8::7"])
        #expect(try addresses.permits(Host("2001:db8:7fff::1")))
        #expect(try !addresses.permits(Host("2001:db8:8000::1")))
        #expect(try !addresses.permits(Host("192.0.2.1")))
        #expect(try !addresses.permits(Host("example.com")))
    }

    @Test("is read out of a certificate as it was put in")
    func roundTrip() throws {
        let constraints = try NameConstraints(permitting: ["example.com", "10.1.0.0/16", "2001:db8::/32"])
        var template = CertificateTemplate(commonName: "CA", notBefore: .noon, notAfter: .noon + .days(1))
        template.role = .authority(pathLength: 0)
        template.constraints = constraints
        let certificate = try template.signed(by: nil, key: .generateP256())
        #expect(certificate.nameConstraints == constraints)
        #expect(certificate.text.contains("X509v3 Name Constraints: critical"))
        #expect(certificate.text.contains("IP:10.1.0.0/255.255.0.0"))
    }

    @Test(
        "refuses an invalid domain",
        arguments: ["", "*", "a b", "10.0.0.0/33", "10.0.0.0/x", "example.com/8", "*.1"]
    )
    func refuses(domain: String) {
        #expect(throws: CryptoFailure.self) { try NameConstraints(permitting: [domain]) }
    }
}
