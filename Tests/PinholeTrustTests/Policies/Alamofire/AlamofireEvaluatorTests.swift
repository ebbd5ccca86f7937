import PinholeModel
import PinholeTrust
import Testing

@Suite("Alamofire's evaluators")
struct AlamofireEvaluatorTests {
    private let leaf = FakeFacts.certificate("leaf")
    private let root = FakeFacts.certificate("root")
    private let host = Host.name("api.pinned.test")

    private func judge(_ policy: any TrustPolicy, _ evaluator: TableEvaluator) -> Judgement {
        var evidence = FakeFacts.evidence([leaf])
        evidence.stapledResponse = [1]
        evidence.revocationLists = [[2]]
        return policy.judge(evidence, with: evaluator)
    }

    @Test("default validates the host first, then without it")
    func defaultOrder() {
        let evaluator = TableEvaluator(root: root)
        let judgement = judge(AlamofireDefaultPolicy(), evaluator)
        #expect(judgement.steps == ["host validation: passed", "default validation: passed"])
        #expect(evaluator.questions.map(\.host) == [host, nil])
        #expect(evaluator.questions.allSatisfy { $0.requiresServerPurpose })
    }

    @Test("the others validate without the host first")
    func otherOrder() {
        for policy in [
            AlamofirePinnedCertificatesPolicy(certificates: [root]) as any TrustPolicy,
            AlamofirePublicKeysPolicy(certificates: [root]), AlamofireRevocationPolicy(),
        ] {
            let evaluator = TableEvaluator(root: root)
            #expect(judge(policy, evaluator).word == "trusted")
            #expect(evaluator.questions.prefix(2).map(\.host) == [nil, host], "\(policy.mechanism)")
        }
    }

    @Test("without pins nothing is evaluated at all")
    func noPins() {
        let evaluator = TableEvaluator(root: root)
        #expect(judge(AlamofirePinnedCertificatesPolicy(certificates: []), evaluator).word == "noPins")
        #expect(judge(AlamofirePublicKeysPolicy(certificates: []), evaluator).word == "noPins")
        #expect(evaluator.questions.isEmpty)
    }

    @Test("acceptSelfSignedCertificates makes the pins the only anchors of every evaluation")
    func anchors() {
        let evaluator = TableEvaluator(root: root)
        let policy = AlamofirePinnedCertificatesPolicy(
            certificates: [leaf],
            acceptSelfSignedCertificates: true
        )
        #expect(judge(policy, evaluator).word == "trusted")
        #expect(evaluator.questions.map(\.anchors) == [[leaf], [leaf]])
        #expect(evaluator.questions.allSatisfy { $0.allowsPartialChain })
    }

    /// Options, whether staples and lists count, and what revocation means.
    private static let options: [(AlamofireRevocationPolicy.Options, Bool, Bool, ChainQuestion.Revocation)] =
        [
            (.any, true, true, .knownOnly), ([.any, .preferCRL], true, true, .knownOnly),
            (.ocsp, true, false, .knownOnly),
            ([.crl, .preferCRL], false, true, .knownOnly),
            ([.any, .requirePositiveResponse, .networkAccessDisabled], true, true, .required),
        ]

    @Test("options say which facts of revocation count", arguments: options)
    func revocation(
        _ options: AlamofireRevocationPolicy.Options,
        _ staples: Bool,
        _ lists: Bool,
        _ revocation: ChainQuestion.Revocation
    ) throws {
        let evaluator = TableEvaluator(root: root)
        #expect(judge(AlamofireRevocationPolicy(options: options), evaluator).word == "trusted")
        let question = try #require(evaluator.questions.last)
        #expect(question.revocation == revocation)
        #expect(question.prefersRevocationLists == options.contains(.preferCRL))
        #expect((question.stapledResponse != nil) == staples && question.revocationLists.isEmpty == !lists)
        #expect(evaluator.questions.dropLast().allSatisfy { $0.revocation == .ignored })
    }

    @Test("a revoked certificate is refused by the revocation evaluator alone")
    func revoked() {
        let evaluator = TableEvaluator { [root] question in
            guard question.revocation != .ignored else {
                return ChainAnswer(path: ValidatedChain(question.presented.certificates + [root]))
            }
            return ChainAnswer(fault: ChainFault(.revoked, depth: 0, "it is revoked"), built: [])
        }
        #expect(judge(AlamofireRevocationPolicy(), evaluator).word == "revoked")
        #expect(judge(AlamofireDefaultPolicy(), evaluator).word == "trusted")
    }

    @Test("a composite ends with the first that throws, and passes when empty")
    func composite() throws {
        let evaluator = TableEvaluator(root: root)
        let parts: [any TrustPolicy] = [
            AlamofireDisabledPolicy(), AlamofirePublicKeysPolicy(certificates: []), AlamofireDefaultPolicy(),
        ]
        let judgement = try judge(AlamofireCompositePolicy(evaluators: parts), evaluator)
        #expect(judgement.word == "noPins")
        #expect(judgement.steps.last == "alamofire-default: skipped")
        #expect(evaluator.questions.isEmpty)
        #expect(try judge(AlamofireCompositePolicy(evaluators: []), evaluator).word == "trusted")
    }

    @Test(
        "a composite takes Alamofire's evaluators alone: evaluators of other hosts must not accept this host"
    )
    func foreignParts() {
        let other = OkHttpPolicy(pins: [OkHttpPin(.exact(.name("other.test")), FakeFacts.none)])
        let failure = #expect(throws: PolicyFailure.self) {
            try AlamofireCompositePolicy(evaluators: [AlamofireDefaultPolicy(), other])
        }
        #expect(failure?.description.contains("[1]: expected one of Alamofire's evaluators") == true)
    }
}
