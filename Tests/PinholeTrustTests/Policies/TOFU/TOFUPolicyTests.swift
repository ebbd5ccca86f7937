import PinholeModel
import PinholeTrust
import Testing

@Suite("TOFUPolicy")
struct TOFUPolicyTests {
    private let leaf = FakeFacts.certificate("leaf")

    private func judge(_ lines: String, strict: Bool = true, port: UInt16 = 443) throws -> Judgement {
        let policy = TOFUPolicy(store: try KnownHosts(parsing: lines), strict: strict)
        var evidence = FakeFacts.evidence([leaf])
        evidence.port = port
        return policy.judge(evidence, with: TableEvaluator(fault: .untrusted))
    }

    private func line(_ certificate: CertificateFacts) -> String {
        KnownHosts.Entry(host: "api.pinned.test", service: "443", key: .spki(certificate.spki)).description
    }

    @Test("a known key is trusted with any issuer")
    func known() throws {
        #expect(try judge(line(leaf)).word == "trusted")
        #expect(try judge(line(leaf), strict: false).word == "trusted")
    }

    @Test("a renewal with the same key is silent")
    func renewal() throws {
        #expect(try judge(line(FakeFacts.certificate("renewed", key: "leaf"))).word == "trusted")
    }

    @Test("another key is refused, with the stored lines")
    func changed() throws {
        let other = FakeFacts.certificate("other")
        for strict in [true, false] {
            let judgement = try judge(line(other), strict: strict)
            #expect(judgement.word == "keyChanged")
            #expect(judgement.detail.contains(line(other)) && judgement.detail.contains(leaf.pinText))
        }
    }

    @Test("a first contact is refused in strict mode, otherwise trusted and reported as unverifiable")
    func firstContact() throws {
        let strict = try judge("")
        #expect(strict.word == "unknownHost")
        #expect(strict.detail.hasSuffix(line(leaf)))
        let open = try judge("", strict: false)
        #expect(open.word == "trusted")
        #expect(open.checks.last?.detail.contains("cannot be verified") == true)
    }

    @Test("another port is another contact")
    func port() throws {
        #expect(try judge(line(leaf), port: 8443).word == "unknownHost")
    }
}
