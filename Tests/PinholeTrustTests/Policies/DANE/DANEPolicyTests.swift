import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@Suite("DANEPolicy")
struct DANEPolicyTests {
    private let leaf = FakeFacts.certificate("leaf", names: [.name("api.pinned.test")])
    private let ca = FakeFacts.certificate("ca")
    private let root = FakeFacts.certificate("root")

    private func record(
        _ usage: TLSARecord.Usage,
        _ certificate: CertificateFacts,
        _ matching: TLSARecord.Matching = .sha256,
        selector: TLSARecord.Selector = .spki
    ) throws -> TLSARecord {
        let data =
            switch (selector, matching) {
            case (.spki, .full): certificate.spki
            case (.spki, .sha256): certificate.spkiSHA256
            case (.spki, .sha512): certificate.spkiSHA512
            case (.certificate, .full): certificate.der
            case (.certificate, .sha256): certificate.sha256
            case (.certificate, .sha512): certificate.sha512
            }
        return try #require(TLSARecord(usage, selector, matching, data: data))
    }

    private func judge(
        _ records: [TLSARecord],
        names: Bool = false,
        anchors: [CertificateFacts] = [],
        fault: ChainFault.Kind? = nil,
        host: String? = "api.pinned.test"
    ) -> Judgement {
        let evaluator =
            fault.map { TableEvaluator(fault: $0) }
            ?? TableEvaluator { [root] question in
                guard question.anchors.isEmpty else {
                    return ChainAnswer(path: ValidatedChain(question.presented.certificates + [root]))
                }
                return ChainAnswer(fault: ChainFault(.untrusted, depth: 0, "no anchor"), built: [])
            }
        let policy = DANEPolicy(records: records, nameChecksForEE: names, anchors: anchors)
        return policy.judge(FakeFacts.evidence([leaf, ca], host: host), with: evaluator)
    }

    @Test("all 24 combinations of usage, selector and matching type", arguments: TLSARecord.Usage.allCases)
    func combinations(_ usage: TLSARecord.Usage) throws {
        for selector in TLSARecord.Selector.allCases {
            for matching in TLSARecord.Matching.allCases {
                let meant = [.pkixTA, .daneTA].contains(usage) ? ca : leaf
                let right = try record(usage, meant, matching, selector: selector)
                #expect(judge([right]).word == "trusted", "\(right)")
                let wrong = try record(usage, FakeFacts.certificate("x"), matching, selector: selector)
                #expect(judge([wrong]).word == "pinMismatch", "\(wrong)")
                #expect(judge([wrong, right]).word == "trusted")
                // Usage 3 asks for no chain, the others do.
                #expect(judge([right], fault: .expired).word == (usage == .daneEE ? "trusted" : "expired"))
            }
        }
    }

    @Test("usages of the leaf and of CAs are not exchanged")
    func positions() throws {
        #expect(judge([try record(.daneEE, ca)]).word == "pinMismatch")
        #expect(judge([try record(.daneTA, leaf)]).word == "pinMismatch")
        #expect(judge([try record(.pkixEE, ca)]).word == "pinMismatch")
        #expect(judge([try record(.pkixTA, leaf)]).word == "pinMismatch")
    }

    @Test("DANE-EE checks no name unless told to (RFC 7671 §5.1)")
    func names() throws {
        let records = [try record(.daneEE, leaf)]
        #expect(judge(records, host: "other.test").word == "trusted")
        #expect(judge(records, names: true, host: "other.test").word == "wrongName")
        #expect(judge(records, names: true).word == "trusted")
        #expect(judge(records, names: true, host: nil).word == "trusted")
    }

    @Test("a server must send an anchor published as a digest, but need not send an anchor published in full")
    func anchors() throws {
        let hidden = FakeFacts.certificate("hidden")
        #expect(judge([try record(.daneTA, hidden)], anchors: [hidden]).word == "pinMismatch")
        let full = try record(.daneTA, hidden, .full, selector: .certificate)
        #expect(judge([full], anchors: [hidden]).word == "trusted")
        #expect(judge([full]).word == "pinMismatch")
        let evaluator = TableEvaluator(root: root)
        let policy = DANEPolicy(records: [try record(.daneTA, ca)])
        _ = policy.judge(FakeFacts.evidence([leaf, ca]), with: evaluator)
        #expect(evaluator.questions.map(\.anchors) == [[ca]])
        #expect(evaluator.questions.first?.allowsPartialChain == true)
    }

    @Test("a full key need not be in a sent certificate, if it signed one")
    func bareKey() throws {
        let pki = try TestPKI()
        let chain = [try pki.privateCA.leaf(TestPKI.host, key: pki.key), pki.privateCA.intermediate]
        let word = { (record: TLSARecord, chain: [CertificateFacts], host: String) in
            let evidence = pki.evidence(chain, host: host)
            return DANEPolicy(records: [record]).judge(evidence, with: ChainVerifier()).word
        }
        let root = try record(.daneTA, pki.privateCA.root, .full)
        #expect(word(root, chain, TestPKI.host) == "trusted")
        #expect(word(root, chain, TestPKI.otherHost) == "wrongName")
        #expect(word(root, Array(chain.prefix(1)), TestPKI.host) == "pinMismatch")
        #expect(word(try record(.daneTA, pki.wrong, .full), chain, TestPKI.host) == "pinMismatch")
        // Digests name what was sent, or nothing.
        #expect(word(try record(.daneTA, pki.privateCA.root), chain, TestPKI.host) == "pinMismatch")
    }

    @Test("a stronger digest puts weaker ones of the same usage and selector out of force (RFC 7671 §9)")
    func agility() throws {
        let stranger = FakeFacts.certificate("x")
        let weak = try record(.daneEE, leaf)
        #expect(judge([weak, try record(.daneEE, stranger, .sha512)]).word == "pinMismatch")
        #expect(judge([weak, try record(.pkixEE, stranger, .sha512)]).word == "trusted")
        #expect(
            judge([weak, try record(.daneEE, stranger, .sha512, selector: .certificate)]).word == "trusted"
        )
        let full = try record(.daneEE, leaf, .full)
        #expect(judge([full, try record(.daneEE, stranger, .sha512)]).word == "trusted")
    }

    @Test("without records DANE says nothing; without a certificate it refuses")
    func nothing() throws {
        #expect(judge([]).word == "notApplicable")
        let policy = DANEPolicy(records: [try record(.daneEE, leaf)])
        #expect(policy.judge(FakeFacts.evidence([]), with: TableEvaluator(root: root)).word == "empty")
    }

    @Test("a mismatch holds the records to publish")
    func mismatch() throws {
        let detail = judge([try record(.daneEE, ca)]).detail
        #expect(detail.contains("“\(try record(.daneEE, leaf))” (CN=leaf)"))
        #expect(detail.contains("“\(try record(.daneTA, ca))” (CN=ca)"))
    }
}
