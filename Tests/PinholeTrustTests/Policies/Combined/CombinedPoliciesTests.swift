import PinholeModel
import PinholeTrust
import Testing

@Suite("AllPolicy, AnyPolicy, HostPolicies")
struct CombinedPoliciesTests {
    /// A policy that says what it is told to.
    struct Said: TrustPolicy {
        let verdict: Verdict
        var mechanism: String { "said" }

        func judge(_: Evidence, with _: any ChainEvaluator) -> Judgement {
            Judgement(verdict, checks: [Check("saying", .passed, "it is said")])
        }
    }

    private static let yes = Said(verdict: .trusted)
    private static let no = Said(verdict: .rejected(Rejection(.pinMismatch, "no")))
    private static let silent = Said(verdict: .notApplicable("silent"))

    private func word(_ policy: any TrustPolicy) -> String {
        policy.judge(FakeFacts.evidence([]), with: TableEvaluator(fault: .empty)).word
    }

    @Test(
        "all: the first rejection decides, and a policy that does not apply is ignored",
        arguments: [
            ([yes], "trusted"), ([yes, silent], "trusted"), ([yes, no], "pinMismatch"),
            ([silent, no], "pinMismatch"),
            ([silent, silent], "notApplicable"), ([], "contradictorySettings"),
        ]
    )
    func all(_ parts: [Said], _ expected: String) {
        #expect(word(AllPolicy(of: parts)) == expected)
    }

    @Test(
        "any: the first trust decides",
        arguments: [
            ([yes], "trusted"), ([no, yes], "trusted"), ([no, no], "noneOf"), ([no, silent], "noneOf"),
            ([silent, silent], "notApplicable"), ([], "contradictorySettings"),
        ]
    )
    func any(_ parts: [Said], _ expected: String) {
        #expect(word(AnyPolicy(of: parts)) == expected)
    }

    @Test("the checks name the part, and the parts that were not asked")
    func checks() {
        let judgement = AllPolicy(of: [Self.no, Self.yes])
            .judge(FakeFacts.evidence([]), with: TableEvaluator(fault: .empty))
        #expect(judgement.steps == ["said: saying: passed", "said: skipped"])
        #expect(judgement.detail == "said: no")
    }

    @Test("hosts: the first group with the host decides, and none means that it does not apply")
    func hosts() throws {
        let policy = HostPolicies([
            ([try HostPattern("*.pinned.test"), try HostPattern("pinned.test:8443")], Self.no),
            ([try HostPattern("api.pinned.test")], Self.yes),
        ])
        func word(_ host: String?, port: UInt16 = 443) -> String {
            var evidence = FakeFacts.evidence([], host: host)
            evidence.port = port
            return policy.judge(evidence, with: TableEvaluator(fault: .empty)).word
        }
        #expect(word("api.pinned.test") == "pinMismatch")
        #expect(word("API.Pinned.Test.") == "pinMismatch")
        #expect(word("pinned.test") == "notApplicable")
        #expect(word("pinned.test", port: 8443) == "pinMismatch")
        #expect(word(nil) == "notApplicable")
    }

    @Test("cleartext is refused by all where one refuses, by any where every one does")
    func cleartext() throws {
        let host = try Host("a.test")
        let strict = try AndroidPolicy(configuration: AndroidConfiguration())
        let lax = SystemPolicy()
        #expect(AllPolicy(of: [lax, strict]).refusalOfCleartext(to: host) != nil)
        #expect(AnyPolicy(of: [lax, strict]).refusalOfCleartext(to: host) == nil)
        #expect(AnyPolicy(of: [strict]).refusalOfCleartext(to: host) != nil)
        let hosts = HostPolicies([(patterns: [try HostPattern("a.test")], policy: strict)])
        #expect(hosts.refusalOfCleartext(to: host) != nil)
        #expect(hosts.refusalOfCleartext(to: try Host("b.test")) == nil)
    }
}
