import PinholeModel
import Testing

@testable import PinholeTrust

@Suite("TransparencyDemand")
struct TransparencyDemandTests {
    private static let root = FakeFacts.certificate("device root")
    private static let day = Duration.seconds(86_400)
    /// The logs 1 and 2 are of one operator, 3 and 4 of others; 5 and 6 are retired, 7 is rejected.
    private static let logs = LogList(
        [
            FakeFacts.log(1, of: "A"), FakeFacts.log(2, of: "A"), FakeFacts.log(3, of: "B"),
            FakeFacts.log(4, of: "C"), FakeFacts.log(5, of: "D", .retired(FakeFacts.now - .seconds(30))),
            FakeFacts.log(6, of: "E", .retired(FakeFacts.now - .seconds(30))),
            FakeFacts.log(7, of: "F", .unapproved),
        ],
        date: FakeFacts.now
    )

    /// A leaf whose encoding can be read, with a lifetime of so many days.
    private static func leaf(days: Int, embedded: [SignedTimestamp]? = []) -> CertificateFacts {
        let facts = FakeFacts.certificate("leaf")
        return CertificateFacts(
            der: SyntheticCertificate(issuer: "issuer", subject: "leaf").der,
            spki: facts.spki,
            key: facts.key,
            keyKind: facts.keyKind,
            sha256: facts.sha256,
            sha512: facts.sha512,
            spkiSHA1: facts.spkiSHA1,
            spkiSHA256: facts.spkiSHA256,
            spkiSHA512: facts.spkiSHA512,
            rawKeySHA256: facts.rawKeySHA256,
            subject: facts.subject,
            issuer: facts.issuer,
            names: facts.names,
            notBefore: FakeFacts.now - day,
            notAfter: FakeFacts.now + .seconds((days - 1) * 86_400 - 1),
            isAuthority: false,
            pathLength: nil,
            isSelfSigned: false,
            timestamps: embedded
        )
    }

    private func finding(
        _ rules: TransparencyRules,
        embedded: [UInt8] = [],
        delivered: [UInt8] = [],
        days: Int = 90,
        logs: LogList? = logs,
        _ change: (inout Evidence) -> Void = { _ in }
    ) -> TransparencyFinding? {
        let leaf = Self.leaf(days: days, embedded: FakeFacts.timestamps(logs: embedded))
        var evidence = FakeFacts.evidence([leaf])
        evidence.signedTimestamps = delivered.isEmpty ? nil : FakeFacts.timestampList(logs: delivered)
        evidence.logs = logs
        change(&evidence)
        let demand = TransparencyDemand(rules, for: evidence, exemptsLocalAnchors: true)
        return demand.finding(about: ValidatedChain([leaf, Self.root]), at: FakeFacts.now) {
            key,
            _,
            signature in
            key == signature
        }
    }

    @Test(
        "lifetime, operators and states decide by the rules of Apple and Chrome",
        arguments: [
            // Embedded, delivered, days, Apple, Chrome.
            ([1, 3], [], 90, true, true), ([1, 3], [], 180, true, true), ([1, 3], [], 181, false, false),
            ([1, 2, 3], [], 398, true, true), ([1, 3, 4], [], 398, true, true), ([1], [], 90, false, false),
            ([1, 2], [], 90, false, false), ([1, 1], [], 90, false, false), ([], [], 90, false, false),
            // Of one operator, Apple counts one for short lifetimes; retired logs count beside current ones.
            ([1, 5], [], 90, true, true), ([5, 6], [], 90, false, false), ([1, 7], [], 90, false, false),
            ([], [1, 3], 398, true, true), ([], [1, 2], 90, true, false), ([1], [3], 90, true, false),
            ([], [1, 5], 90, false, false), ([1, 9], [], 90, false, false),
        ] as [([UInt8], [UInt8], Int, Bool, Bool)]
    )
    func platforms(embedded: [UInt8], delivered: [UInt8], days: Int, apple: Bool, chrome: Bool) {
        #expect(finding(.apple, embedded: embedded, delivered: delivered, days: days)?.isMet == apple)
        #expect(finding(.chrome, embedded: embedded, delivered: delivered, days: days)?.isMet == chrome)
    }

    @Test("a timestamp that does not count is named with the reason")
    func reasons() throws {
        let text = try #require(finding(.chrome, embedded: [3, 7, 9])).detail
        #expect(
            text
                == "expected timestamps of 2 logs of 2 operators, one of which is approved today, found 1 timestamp that "
                + "counts: “Log 3” of B (certificate); not counted: one of “Log 7”, which is not approved (certificate), "
                + "one of an unknown log (certificate)"
        )
        let future = finding(.logs(1), delivered: [1]) {
            $0.signedTimestamps = FakeFacts.timestampList(logs: [1], time: FakeFacts.now + .seconds(1))
        }
        #expect(future?.isMet == false && future?.detail.contains("one of the future") == true)
        let late = finding(.logs(1), delivered: [5]) {
            $0.signedTimestamps = FakeFacts.timestampList(logs: [5], time: FakeFacts.now - .seconds(10))
        }
        #expect(late?.detail.contains("one of “Log 5”, made after the log's retirement") == true)
    }

    @Test("a signature by another key, or of an algorithm that logs do not use, does not count")
    func signatures() {
        let list = FakeFacts.timestampList(logs: [1])
        #expect(finding(.logs(1)) { $0.signedTimestamps = list }?.isMet == true)
        var forged = list
        forged[forged.count - 1] = 2
        let finding = finding(.logs(1)) { $0.signedTimestamps = forged }
        #expect(finding?.isMet == false)
        #expect(finding?.detail.contains("one that “Log 1” did not sign for this certificate") == true)
        var weak = list
        // SHA-1 in the place of SHA-256.
        weak[weak.count - 5] = 2
        #expect(self.finding(.logs(1)) { $0.signedTimestamps = weak }?.isMet == false)
    }

    @Test("chains to CAs that only the device trusts need no timestamps")
    func localAnchors() {
        #expect(finding(.apple)?.isMet == false)
        #expect(finding(.apple) { $0.userAnchors = [Self.root.sha256] } == nil)
        #expect(finding(.apple) { $0.localAnchors = [Self.root.sha256] } == nil)
        #expect(finding(.apple) { $0.anchors = [FakeFacts.certificate("another root")] } == nil)
    }

    @Test("Chrome's rules stop after 70 days without a new list, Apple's do not")
    func age() {
        let old = LogList([FakeFacts.log(1, of: "A")], date: FakeFacts.now - .seconds(71 * 86_400))
        #expect(finding(.chrome, logs: old)?.isMet == true)
        #expect(finding(.chrome, logs: old)?.detail.contains("more than 70 days old") == true)
        #expect(finding(.apple, logs: old)?.isMet == false)
        let fresh = LogList([FakeFacts.log(1, of: "A")], date: FakeFacts.now - .seconds(70 * 86_400))
        #expect(finding(.chrome, logs: fresh)?.isMet == false)
    }

    @Test("Apple's verifier demands them if a list is known")
    func profile() {
        var evidence = FakeFacts.evidence([Self.leaf(days: 90)])
        #expect(ChainQuestion(evidence, by: .apple).transparency == nil)
        evidence.logs = Self.logs
        #expect(ChainQuestion(evidence, by: .apple).transparency?.rules == .apple)
        #expect(ChainQuestion(evidence, by: .openssl).transparency == nil)
    }
}
