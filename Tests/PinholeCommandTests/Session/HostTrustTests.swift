import ArgumentParser
import PinholeCrypto
import PinholeModel
import PinholeProxy
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("Settings for single servers")
struct HostTrustTests {
    private func configuration(_ words: [String]) throws -> Configuration {
        var configuration = Configuration()
        configuration.tls.exemptions = [
            .init(pattern: try HostPattern("*.test"), reason: "of the file")
        ]
        try HostTrustOptions.parse(words).apply(to: &configuration)
        return configuration
    }

    @Test("flags add one server each, after the servers of the file")
    func flags() throws {
        let tls = try configuration([
            "--danger-accept", "a.test", "--danger-accept", "[::1]:8443", "--client-certificate",
            "a.test=a=b.p12",
            "--client-certificate", "b.test:8443=b.pem", "--client-certificate-password-file", "secret.txt",
        ]).tls
        #expect(tls.exemptions.map(\.pattern.description) == ["*.test", "a.test", "[::1]:8443"])
        #expect(tls.exemptions.last?.reason == "--danger-accept on the command line")
        #expect(tls.clientCertificates.map { $0.hosts.map(\.description) } == [["a.test"], ["b.test:8443"]])
        #expect(tls.clientCertificates.map(\.file) == ["a=b.p12", "b.pem"])
        #expect(tls.clientCertificates.allSatisfy { $0.passphraseFile == "secret.txt" })
    }

    @Test(
        "patterns of many servers, and missing files, are refused",
        arguments: [
            ["--danger-accept", "*.test"], ["--danger-accept", "*"], ["--danger-accept", ""],
            ["--client-certificate", "a.test"], ["--client-certificate", "a.test="],
            ["--client-certificate", "*=a.p12"], ["--client-certificate-password-file", "secret.txt"],
        ]
    )
    func refusals(words: [String]) {
        #expect(throws: (any Error).self) { try HostTrustOptions.parse(words) }
    }

    @Test("a change for one server is replaced and taken back, and other servers keep theirs")
    func session() throws {
        let (one, other) = (try HostPattern("a.test:443"), try HostPattern("b.test"))
        var trust = SessionTrust()
        trust.accept(one, true)
        trust.accept(other, true)
        trust.accept(try HostPattern("A.TEST:443"), true)
        #expect(trust.exemptions.map(\.pattern.description) == ["b.test", "A.TEST:443"])
        #expect(trust.exemptions.allSatisfy { $0.reason == SessionTrust.reason })
        trust.accept(one, false)
        #expect(trust.accepted.map(\.description) == ["b.test"])
        let identity = try CertificateAuthority.create(
            .init(machineName: "x"),
            now: Timestamp(seconds: 1_800_000_000)
        ).identity
        trust.present(identity, to: one)
        trust.present(identity, to: one)
        trust.present(identity, to: other)
        #expect(trust.presented.map(\.host.description) == ["a.test:443", "b.test"])
        trust.present(nil, to: one)
        #expect(trust.presented.map(\.host.description) == ["b.test"])
    }
}
