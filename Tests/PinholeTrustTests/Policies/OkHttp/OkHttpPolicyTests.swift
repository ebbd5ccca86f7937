import PinholeModel
import PinholeTrust
import Testing

@Suite("OkHttpPolicy")
struct OkHttpPolicyTests {
    private let leaf = FakeFacts.certificate("leaf")
    private let root = FakeFacts.certificate("root")

    private func judge(
        _ lines: String,
        host: String? = "api.pinned.test",
        fault: ChainFault.Kind? = nil
    ) throws -> Judgement {
        let evaluator = fault.map { TableEvaluator(fault: $0) } ?? TableEvaluator(root: root)
        let policy = OkHttpPolicy(pins: try OkHttpPin.read(lines: lines))
        return policy.judge(FakeFacts.evidence([leaf], host: host), with: evaluator)
    }

    @Test("unites the pins of all patterns that mean the host")
    func union() throws {
        let pins = "api.pinned.test \(FakeFacts.none)\n*.pinned.test \(FakeFacts.pin(leaf))"
        #expect(try judge(pins).word == "trusted")
        #expect(
            try judge("api.pinned.test \(FakeFacts.none)\n*.other.test \(FakeFacts.pin(leaf))").word
                == "pinMismatch"
        )
    }

    @Test("a host without a pattern is not pinned, and its chain must still be valid")
    func unpinned() throws {
        let pins = "other.test \(FakeFacts.pin(leaf))"
        #expect(try judge(pins).word == "notApplicable")
        #expect(try judge("").word == "notApplicable")
        #expect(try judge(pins, host: nil).word == "notApplicable")
        #expect(try judge(pins, fault: .untrusted).word == "untrusted")
    }

    @Test("upper case and a trailing dot do not lead past the pins (CVE-2022-43551 is curl's for HSTS)")
    func canonical() throws {
        for host in ["API.Pinned.TEST", "api.pinned.test."] {
            #expect(try judge("Api.pinned.test \(FakeFacts.none)", host: host).word == "pinMismatch")
        }
    }

    @Test("takes SHA-1 pins")
    func sha1() throws {
        let pin = try #require(Pin(.sha1, digest: root.spkiSHA1))
        #expect(try judge("**.pinned.test \(pin)").word == "trusted")
    }

    @Test("follows nine signers")
    func longChain() throws {
        let line = "api.pinned.test \(FakeFacts.pin(leaf))"
        for (count, word) in [(9, "trusted"), (10, "pathTooLong")] {
            let chain = [leaf] + (0..<count).map { FakeFacts.certificate("ca \($0)") }
            let evaluator = TableEvaluator { _ in ChainAnswer(path: ValidatedChain(chain)) }
            let policy = OkHttpPolicy(pins: try OkHttpPin.read(lines: line))
            #expect(policy.judge(FakeFacts.evidence(chain), with: evaluator).word == word)
        }
    }

    @Test("the checks: chain, patterns, pins; a mismatch holds only the host's pins")
    func order() throws {
        let other = try #require(Pin(digest: root.sha256))
        let judgement = try judge("api.pinned.test \(FakeFacts.none)\nother.test \(other)")
        #expect(
            judgement.steps == [
                "\(JudgementBuilder.systemCheck): passed", "patterns for the host: passed",
                "pinned keys in the cleaned chain: failed",
            ]
        )
        #expect(judgement.detail.contains("\(FakeFacts.none)") && !judgement.detail.contains("\(other)"))
    }
}
