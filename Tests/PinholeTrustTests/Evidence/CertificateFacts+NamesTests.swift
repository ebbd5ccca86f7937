import PinholeModel
import PinholeTrust
import Testing

@Suite("CertificateFacts.names")
struct CertificateFactsNamesTests {
    @Test(
        "wildcards stand for one whole label (RFC 9525)",
        arguments: [
            ("api.pinned.test", "api.pinned.test", true), ("api.pinned.test", "pinned.test", false),
            ("*.pinned.test", "api.pinned.test", true), ("*.pinned.test", "pinned.test", false),
            ("*.pinned.test", "a.api.pinned.test", false), ("*.test", "pinned.test", false),
            ("ap*.pinned.test", "api.pinned.test", false), ("*.2.1.test", "192.0.2.1", false),
        ]
    )
    func names(_ entry: String, _ host: String, _ expected: Bool) throws {
        let certificate = FakeFacts.certificate("leaf", names: [.name(entry)])
        #expect(certificate.names(try Host(host)) == expected)
    }

    @Test("addresses are compared as such")
    func addresses() throws {
        let address = try Host("192.0.2.1")
        #expect(FakeFacts.certificate("leaf", names: [address]).names(address))
        #expect(!FakeFacts.certificate("leaf", names: [.name("192.0.2.1")]).names(address))
    }
}
