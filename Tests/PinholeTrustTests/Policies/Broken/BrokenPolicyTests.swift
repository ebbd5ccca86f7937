import PinholeModel
import PinholeTrust
import Testing

@Suite("BrokenPolicy")
struct BrokenPolicyTests {
    private let leaf = FakeFacts.certificate("leaf")
    private let root = FakeFacts.certificate("root")

    @Test(
        "its first check says that it is broken, and names the flaw that it imitates",
        arguments: BrokenPolicy.Kind.allCases
    )
    func labels(_ kind: BrokenPolicy.Kind) {
        let policy = BrokenPolicy(kind, pins: [FakeFacts.pin(leaf)])
        let judgement = policy.judge(FakeFacts.evidence([leaf]), with: TableEvaluator(root: root))
        #expect(judgement.checks.first?.detail.hasPrefix("BROKEN ON PURPOSE: ") == true)
        #expect(policy.mechanism == kind.rawValue)
        #expect(judgement.word == "trusted")
    }

    @Test("no host: any host of a pinned CA passes (Spinner, ACSAC 2017)")
    func noHost() {
        let evaluator = TableEvaluator(root: root)
        let policy = BrokenPolicy(.noHost, pins: [FakeFacts.pin(root)])
        #expect(
            policy.judge(FakeFacts.evidence([leaf], host: "bank.test"), with: evaluator).word == "trusted"
        )
        #expect(evaluator.questions.map(\.host) == [nil])
        #expect(evaluator.questions.first?.requiresServerPurpose == true)
    }

    @Test("pins without chain: a fault of the chain does not matter")
    func unvalidated() {
        let evaluator = TableEvaluator(fault: .expired)
        let evidence = FakeFacts.evidence([leaf, root])
        func word(_ certificate: CertificateFacts, _ scope: PinScope) -> String {
            BrokenPolicy(.unvalidatedSPKI, pins: [FakeFacts.pin(certificate)], scope: scope)
                .judge(evidence, with: evaluator).word
        }
        #expect(word(leaf, .leaf) == "trusted")
        #expect(word(root, .leaf) == "pinMismatch")
        #expect(word(root, .chain) == "trusted")
    }

    @Test("pins that are missing refuse where there is something to compare")
    func noPins() {
        let evaluator = TableEvaluator(root: root)
        let evidence = FakeFacts.evidence([leaf])
        #expect(BrokenPolicy(.presentedSPKI).judge(evidence, with: evaluator).word == "noPins")
        #expect(BrokenPolicy(.unvalidatedSPKI).judge(evidence, with: evaluator).word == "noPins")
    }
}
