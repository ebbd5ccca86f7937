import PinholeModel
import PinholeTrust
import Testing

@Suite("CTRequiredPolicy")
struct CTRequiredPolicyTests {
    private let root = FakeFacts.certificate("root")

    private func evidence(
        embedded: [SignedTimestamp]? = [],
        stapled: [SignedTimestamp]? = [],
        handshake: [UInt8]? = nil
    ) -> Evidence {
        var evidence = FakeFacts.evidence([FakeFacts.certificate("leaf", timestamps: embedded)])
        evidence.stapledTimestamps = stapled
        evidence.signedTimestamps = handshake
        return evidence
    }

    private func judge(_ evidence: Evidence, logs: Int = 2) -> Judgement {
        CTRequiredPolicy(.logs(logs)).judge(evidence, with: TableEvaluator(root: root))
    }

    @Test("logs count once each, wherever their timestamps stood")
    func sources() throws {
        let (one, two, three) = (timestamps(1), timestamps(2), timestamps(3))
        let list = FakeFacts.timestampList(logs: [3])
        #expect(SignedTimestamp.list(list) == three)
        let table: [(Evidence, String)] = [
            (evidence(), "notLogged"), (evidence(embedded: one + one), "notLogged"),
            (evidence(embedded: one + two), "trusted"), (evidence(embedded: one, stapled: two), "trusted"),
            (evidence(embedded: one, handshake: list), "trusted"), (evidence(handshake: list), "notLogged"),
            (evidence(embedded: three, handshake: list), "notLogged"),
        ]
        for (evidence, word) in table { #expect(judge(evidence).word == word) }
        #expect(judge(evidence(embedded: one), logs: 1).word == "trusted")
    }

    @Test("a log that has signed in the future does not count")
    func future() {
        let late = FakeFacts.timestamps(logs: [1, 2], time: FakeFacts.now + .seconds(1))
        #expect(judge(evidence(embedded: late)).word == "notLogged")
    }

    @Test("unreadable files are reported")
    func malformed() {
        let judgement = judge(evidence(embedded: nil, stapled: nil, handshake: [1]))
        #expect(
            judgement.detail
                == "expected timestamps of 2 logs, found 0 timestamps that count: none; not counted: a list that "
                + "cannot be read (handshake), a list that cannot be read (certificate), "
                + "a list that cannot be read (staple); without a list of logs, signatures are not checked"
        )
    }

    @Test("the chain is judged first, and the report says that signatures are not checked")
    func order() {
        let good = judge(evidence(embedded: timestamps(1) + timestamps(2)))
        #expect(
            good.checks.last?.detail
                == "2 timestamps that count: log 01010101… (certificate), log 02020202… (certificate); without a list of "
                + "logs, signatures are not checked"
        )
        let bad = CTRequiredPolicy().judge(evidence(), with: TableEvaluator(fault: .untrusted))
        #expect(bad.word == "untrusted" && bad.steps.count == 1)
    }

    private func timestamps(_ log: UInt8) -> [SignedTimestamp] { FakeFacts.timestamps(logs: [log]) }
}
