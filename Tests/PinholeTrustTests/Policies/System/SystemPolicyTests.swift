import PinholeModel
import PinholeTrust
import Testing

@Suite("SystemPolicy, BasicX509Policy, AnchorsOnlyPolicy")
struct SystemPolicyTests {
    private let leaf = FakeFacts.certificate("leaf")
    private let root = FakeFacts.certificate("root")

    @Test("system asks for the host, the purpose and the device's anchors")
    func system() throws {
        let evaluator = TableEvaluator(root: root)
        let judgement = SystemPolicy().judge(FakeFacts.evidence([leaf]), with: evaluator)
        #expect(judgement.word == "trusted")
        #expect(judgement.path?.certificates == [leaf, root])
        let question = try #require(evaluator.questions.first)
        #expect(question.host == .name("api.pinned.test") && question.requiresServerPurpose)
        #expect(question.anchors == [FakeFacts.certificate("device root")] && !question.allowsPartialChain)
        #expect(
            judgement.checks.first?.detail.hasPrefix(
                "CN=leaf ← CN=root; names api.pinned.test; valid at 2026-"
            ) == true
        )
    }

    @Test("without a host the purpose is still checked")
    func noHost() throws {
        let evaluator = TableEvaluator(root: root)
        _ = SystemPolicy().judge(FakeFacts.evidence([leaf], host: nil), with: evaluator)
        let question = try #require(evaluator.questions.first)
        #expect(question.host == nil && question.requiresServerPurpose)
    }

    @Test("basic X.509 asks for neither name nor purpose")
    func basic() throws {
        let evaluator = TableEvaluator(root: root)
        let judgement = BasicX509Policy().judge(FakeFacts.evidence([leaf]), with: evaluator)
        let question = try #require(evaluator.questions.first)
        #expect(question.host == nil && !question.requiresServerPurpose)
        #expect(judgement.steps == ["chain to the device's anchors: passed", "host: skipped"])
    }

    @Test("anchors only asks for its own, which need not be self-signed")
    func anchorsOnly() throws {
        let evaluator = TableEvaluator(root: root)
        _ = AnchorsOnlyPolicy(anchors: [root]).judge(FakeFacts.evidence([leaf]), with: evaluator)
        let question = try #require(evaluator.questions.first)
        #expect(question.anchors == [root] && question.allowsPartialChain && question.host != nil)
    }

    @Test("a fault becomes the reason, with its sentence", arguments: ChainFault.Kind.allCases)
    func faults(_ kind: ChainFault.Kind) {
        let policies: [any TrustPolicy] = [
            SystemPolicy(), BasicX509Policy(), AnchorsOnlyPolicy(anchors: [root]),
        ]
        for policy in policies {
            let judgement = policy.judge(FakeFacts.evidence([leaf]), with: TableEvaluator(fault: kind))
            #expect(judgement.word == kind.rawValue && judgement.detail == "it is \(kind.rawValue)")
        }
    }
}
