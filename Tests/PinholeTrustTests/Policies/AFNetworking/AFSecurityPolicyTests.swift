import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@Suite("AFSecurityPolicy")
struct AFSecurityPolicyTests {
    private static let scene = Result { try AFDecisionTable.Scene() }
    private static let verifier = ChainVerifier()

    private func judge(
        _ row: AFDecisionTable.Row,
        _ column: AFDecisionTable.Column,
        host: String? = TestPKI.host,
        version: AFSecurityPolicy.Version = .version4
    ) throws -> Judgement {
        let scene = try Self.scene.get()
        let policy = AFSecurityPolicy(
            pinningMode: row.mode,
            allowInvalidCertificates: row.allowInvalid,
            validatesDomainName: row.validatesDomain,
            pinnedCertificates: scene.pinned(row.pins, column),
            version: version
        )
        return policy.judge(
            scene.pki.evidence(scene.presented(column), host: host),
            with: Self.verifier
        )
    }

    @Test("decides every row of the decision table", arguments: AFDecisionTable.rows)
    func decisionTable(_ row: AFDecisionTable.Row) throws {
        for (column, cell) in zip(AFDecisionTable.Column.allCases, row.outcomes) where cell != "-" {
            let judgement = try judge(row, column)
            #expect(
                (judgement.verdict == .trusted) == (cell == "A"),
                "\(column.rawValue): \(judgement.word) \(judgement.detail)"
            )
        }
    }

    @Test("the table has 528 cells")
    func cells() {
        #expect(AFDecisionTable.rows.map { $0.outcomes.count { $0 != "-" } }.reduce(0, +) == 528)
    }

    @Test(
        "without a domain the guard does not fire, and a wrong host is as good as the right one",
        arguments: AFDecisionTable.rows
    )
    func noDomain(_ row: AFDecisionTable.Row) throws {
        for (column, other) in [
            (AFDecisionTable.Column.validOK, AFDecisionTable.Column.validWrongHost),
            (.privateOK, .privateWrongHost),
        ] {
            let right = try judge(row, column, host: nil)
            let wrong = try judge(row, other, host: nil)
            #expect(right.word == wrong.word, "\(column.rawValue)")
            #expect(right.word != "contradictorySettings")
        }
        if row.mode == .none, row.allowInvalid, row.validatesDomain {
            #expect(try judge(row, .selfSignedExpired, host: nil).verdict == .trusted)
        }
    }

    @Test("a pinned root of a private CA counts only when it was sent or is in the store (†)")
    func rootNotSent() throws {
        let scene = try Self.scene.get()
        let policy = AFSecurityPolicy(
            pinningMode: .publicKey,
            allowInvalidCertificates: true,
            pinnedCertificates: [scene.pki.privateCA.root]
        )
        let sent = scene.presented(.privateOK)
        #expect(policy.judge(scene.pki.evidence(sent), with: Self.verifier).word == "trusted")
        let short = policy.judge(scene.pki.evidence(Array(sent.dropLast())), with: Self.verifier)
        #expect(short.word == "pinMismatch")
        #expect(
            short.detail.contains("Private Issuing CA")
                && short.detail.contains(scene.pki.privateCA.root.pinText)
        )
    }

    @Test("certificate mode enforces date and host against the pins even with allowInvalidCertificates")
    func certificateModeStillChecks() throws {
        let row = try #require(
            AFDecisionTable.rows.first {
                $0.mode == .certificate && $0.allowInvalid && $0.validatesDomain && $0.pins == .leaf
            }
        )
        #expect(try judge(row, .selfSignedWrongHost).word == "wrongName")
        #expect(try judge(row, .selfSignedExpired).word == "expired")
    }

    @Test("the guard rejects with the message that AFNetworking logs")
    func guardText() throws {
        let row = try #require(
            AFDecisionTable.rows.first { $0.mode == .none && $0.allowInvalid && $0.validatesDomain }
        )
        let judgement = try judge(row, .validOK)
        #expect(judgement.word == "contradictorySettings")
        #expect(judgement.detail.contains("you MUST use pinning"))
        #expect(judgement.steps == ["guard against names without pins: failed"])
    }

    @Test("the checks tell the order: guard, policy, device's anchors, pins")
    func order() throws {
        let row = try #require(
            AFDecisionTable.rows.first {
                $0.mode == .certificate && !$0.allowInvalid && $0.validatesDomain && $0.pins == .root
            }
        )
        #expect(
            try judge(row, .validOK).steps == [
                "guard against names without pins: skipped", "domain name: skipped",
                "chain against the device's anchors: passed",
                "chain against the pinned certificates as only anchors: passed",
                "pinned certificates in the chain, root first: passed",
            ]
        )
    }

    @Test("certificate mode evaluates a second time, with the pins as the only anchors")
    func secondEvaluation() {
        let leaf = FakeFacts.certificate("leaf")
        let evaluator = TableEvaluator(root: FakeFacts.certificate("root"))
        let policy = AFSecurityPolicy(pinningMode: .certificate, pinnedCertificates: [leaf])
        #expect(policy.judge(FakeFacts.evidence([leaf]), with: evaluator).word == "trusted")
        #expect(evaluator.questions.map(\.anchors) == [[FakeFacts.certificate("device root")], [leaf]])
        #expect(evaluator.questions.map(\.allowsPartialChain) == [false, true])
    }

    @Test("compares key objects: an encoding with explicit parameters is the same key (CVE-2020-0601)")
    func keyObjects() {
        let pinned = FakeFacts.certificate("real", key: "point")
        let presented = FakeFacts.certificate("forged", key: "point", parameters: "explicit")
        let evidence = FakeFacts.evidence([presented])
        let evaluator = TableEvaluator(root: FakeFacts.certificate("root"))
        let policy = AFSecurityPolicy(pinningMode: .publicKey, pinnedCertificates: [pinned])
        #expect(policy.judge(evidence, with: evaluator).word == "trusted")
        let pins = SPKIPolicy(pins: [FakeFacts.pin(pinned)])
        #expect(pins.judge(evidence, with: evaluator).word == "pinMismatch")
    }

    @Test("a CA's key with allowInvalidCertificates is the hole of Spinner: any host of that CA passes")
    func spinner() throws {
        let scene = try Self.scene.get()
        let policy = AFSecurityPolicy(
            pinningMode: .publicKey,
            allowInvalidCertificates: true,
            pinnedCertificates: [scene.pki.publicCA.intermediate]
        )
        let evidence = scene.pki.evidence(scene.presented(.validWrongHost))
        let judgement = policy.judge(evidence, with: Self.verifier)
        #expect(judgement.word == "trusted")
        #expect(judgement.checks.last?.detail.contains("neither dates, name nor issuer") == true)
    }

    @Test("2.5.1 validates nothing without pins (104ce041), the versions around it do")
    func version251() throws {
        let scene = try Self.scene.get()
        for column in AFDecisionTable.Column.allCases {
            let evidence = scene.pki.evidence(scene.presented(column))
            func word(_ version: AFSecurityPolicy.Version) -> String {
                AFSecurityPolicy(version: version).judge(evidence, with: Self.verifier).word
            }
            #expect(word(.version251) == "trusted", "\(column.rawValue)")
            #expect(word(.version250) == word(.version252), "\(column.rawValue)")
        }
        let bad = scene.pki.evidence(scene.presented(.selfSignedOK))
        #expect(AFSecurityPolicy(version: .version252).judge(bad, with: Self.verifier).word == "selfSigned")
    }

    @Test(
        "CVE-2015-3996: before 2.5.3 no host name is checked by default",
        arguments: [
            AFSecurityPolicy.Version.version250, .version252,
        ]
    )
    func hostNotChecked(_ version: AFSecurityPolicy.Version) throws {
        let scene = try Self.scene.get()
        let evidence = scene.pki.evidence(scene.presented(.validWrongHost))
        #expect(AFSecurityPolicy(version: version).judge(evidence, with: Self.verifier).word == "trusted")
        #expect(AFSecurityPolicy().judge(evidence, with: Self.verifier).word == "wrongName")
        let explicit = AFSecurityPolicy(validatesDomainName: true, version: version)
        #expect(explicit.judge(evidence, with: Self.verifier).word == "wrongName")
        for mode in [AFSecurityPolicy.PinningMode.certificate, .publicKey] {
            let pinned = AFSecurityPolicy(
                pinningMode: mode,
                validatesCertificateChain: false,
                pinnedCertificates: scene.pinned(.leaf, .validWrongHost),
                version: version
            )
            #expect(pinned.judge(evidence, with: Self.verifier).word == "trusted")
        }
    }

    @Test(
        "before 2.6.0 every certificate of the chain must be pinned",
        arguments: [
            AFSecurityPolicy.PinningMode.certificate, .publicKey,
        ]
    )
    func wholeChain(_ mode: AFSecurityPolicy.PinningMode) throws {
        let scene = try Self.scene.get()
        let evidence = scene.pki.evidence(scene.presented(.validOK))
        let all = AFDecisionTable.Pins.allCases.dropFirst(2).flatMap { scene.pinned($0, .validOK) }
        func word(_ pins: [CertificateFacts], _ wholeChain: Bool? = nil) -> String {
            AFSecurityPolicy(
                pinningMode: mode,
                validatesCertificateChain: wholeChain,
                pinnedCertificates: pins,
                version: .version252
            ).judge(evidence, with: Self.verifier).word
        }
        #expect(word(all) == "trusted")
        #expect(word(Array(all.prefix(2))) == "pinMismatch")
        #expect(word(Array(all.prefix(1)), false) == "trusted")
        #expect(word([]) == "noPins")
        // Without the whole chain, key mode looks at the leaf alone, and certificate mode at the anchors.
        #expect(word(Array(all.suffix(1)), false) == (mode == .certificate ? "trusted" : "pinMismatch"))
    }

    @Test("before 2.6.0 there is no guard")
    func oldGuard() throws {
        let scene = try Self.scene.get()
        let policy = AFSecurityPolicy(
            allowInvalidCertificates: true,
            validatesDomainName: true,
            version: .version252
        )
        let evidence = scene.pki.evidence(scene.presented(.selfSignedExpired))
        #expect(policy.judge(evidence, with: Self.verifier).word == "trusted")
    }
}
