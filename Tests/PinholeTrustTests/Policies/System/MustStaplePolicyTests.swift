import PinholeModel
import PinholeTrust
import Testing

@Suite("MustStaplePolicy")
struct MustStaplePolicyTests {
    private let root = FakeFacts.certificate("root")

    private func evidence(mustStaple: Bool, staple: [UInt8]? = nil) -> Evidence {
        var evidence = FakeFacts.evidence([FakeFacts.certificate("leaf", mustStaple: mustStaple)])
        evidence.stapledResponse = staple
        evidence.revocationLists = [[1]]
        return evidence
    }

    /// Finds the path valid, and the leaf as `status` says where revocation is asked about.
    private func evaluator(_ status: RevocationFinding.Status) -> TableEvaluator {
        TableEvaluator { [root] question in
            let path = ChainAnswer(path: ValidatedChain(question.presented.certificates + [root]))
            guard question.revocation != .ignored else { return path }
            let fault: ChainFault.Kind? =
                switch status {
                case .good: nil
                case .revoked: .revoked
                case .unknown: question.revocation == .required ? .revocationUnknown : nil
                }
            if let fault { return ChainAnswer(fault: ChainFault(fault, depth: 0, "\(fault)"), built: []) }
            return path
        }
    }

    @Test("a certificate that does not ask for a staple needs none")
    func unasked() {
        let judgement = MustStaplePolicy().judge(evidence(mustStaple: false), with: evaluator(.unknown))
        #expect(judgement.word == "trusted")
        #expect(judgement.steps.last == "stapled OCSP response: skipped")
        let always = MustStaplePolicy(always: true)
            .judge(evidence(mustStaple: false), with: evaluator(.unknown))
        #expect(always.word == "revocationUnknown")
        #expect(always.detail == "the policy always asks for one, and none came")
    }

    @Test("a leaf with must-staple is refused without a good staple")
    func asked() throws {
        let missing = MustStaplePolicy().judge(evidence(mustStaple: true), with: evaluator(.good))
        #expect(missing.word == "revocationUnknown")
        #expect(missing.detail == "the certificate asks for one (RFC 7633), and none came")
        let table: [(RevocationFinding.Status, String)] = [
            (.good, "trusted"), (.unknown, "revocationUnknown"), (.revoked(nil), "revoked"),
        ]
        for (status, word) in table {
            let evaluator = evaluator(status)
            let judgement = MustStaplePolicy()
                .judge(evidence(mustStaple: true, staple: [1]), with: evaluator)
            #expect(judgement.word == word)
            // Lists do not stand in for the staple.
            #expect(try #require(evaluator.questions.last).revocationLists.isEmpty)
        }
    }

    @Test("a stapled “revoked” counts without a request for it; an unknown status does not")
    func revoked() {
        let table: [(RevocationFinding.Status, String)] = [
            (.good, "trusted"), (.unknown, "trusted"), (.revoked(nil), "revoked"),
        ]
        for (status, word) in table {
            let judgement = MustStaplePolicy()
                .judge(evidence(mustStaple: false, staple: [1]), with: evaluator(status))
            #expect(judgement.word == word)
        }
    }

    @Test("the chain comes first")
    func chain() {
        let judgement = MustStaplePolicy()
            .judge(evidence(mustStaple: true), with: TableEvaluator(fault: .expired))
        #expect(judgement.word == "expired" && judgement.steps.count == 1)
    }
}
