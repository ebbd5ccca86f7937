import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@Suite("Verdicts of the mechanisms on AFSecurityPolicy's columns")
struct VerdictTableTests {
    /// One mechanism with its settings, what is pinned, and A or R for each column of ``AFDecisionTable``.
    struct Row: Sendable, CustomStringConvertible {
        let title: String
        let pins: AFDecisionTable.Pins
        let outcomes: String
        let policy: @Sendable ([CertificateFacts]) throws -> any TrustPolicy

        init(
            _ title: String,
            _ pins: AFDecisionTable.Pins,
            _ outcomes: String,
            _ policy: @escaping @Sendable ([CertificateFacts]) throws -> any TrustPolicy
        ) {
            self.title = title
            self.pins = pins
            self.outcomes = outcomes
            self.policy = policy
        }

        var description: String { "\(title), pins \(pins.rawValue)" }
    }

    private static let scene = Result { try AFDecisionTable.Scene() }
    private static let verifier = ChainVerifier()

    private static func spki(_ certificates: [CertificateFacts]) -> [Pin] { certificates.map(FakeFacts.pin) }

    private static func raw(_ certificates: [CertificateFacts]) -> [Pin] {
        certificates.compactMap { $0.rawKeySHA256.flatMap { Pin(digest: $0) } }
    }

    private static func record(_ usage: TLSARecord.Usage, _ pins: [CertificateFacts]) -> [TLSARecord] {
        pins.compactMap { TLSARecord(usage, .spki, .sha256, data: $0.spkiSHA256) }
    }

    private static func store(_ certificates: [CertificateFacts]) -> KnownHosts {
        KnownHosts(
            certificates.map { .init(host: TestPKI.host, service: "443", key: .spki($0.spki)) }
        )
    }

    private static func exact(_ pins: [CertificateFacts]) -> [OkHttpPin] {
        pins.map { OkHttpPin(.exact(.name(TestPKI.host)), FakeFacts.pin($0)) }
    }

    static let rows: [Row] = platform + alamofire + pinned + others + broken

    private static let platform = [
        Row("system", .empty, "ARRRRRRRAA") { _ in SystemPolicy() },
        Row("must-staple", .empty, "ARRRRRRRAA") { _ in MustStaplePolicy() },
        Row("must-staple, always", .empty, "RRRRRRRRRR") { _ in MustStaplePolicy(always: true) },
        Row("ct-required", .empty, "RRRRRRRRRR") { _ in CTRequiredPolicy() },
        Row("basic-x509", .empty, "AARRRRRRAA") { _ in BasicX509Policy() },
        Row("anchors-only", .empty, "RRRRRRRRRR") { AnchorsOnlyPolicy(anchors: $0) },
        Row("anchors-only", .root, "ARRAR---RR") { AnchorsOnlyPolicy(anchors: $0) },
        Row("anchors-only", .intermediate, "ARRAR---RR") { AnchorsOnlyPolicy(anchors: $0) },
        Row("anchors-only", .leaf, "ARRARARRRR") { AnchorsOnlyPolicy(anchors: $0) },
    ]

    private static let alamofire = [
        Row("default", .empty, "ARRRRRRRAA") { _ in AlamofireDefaultPolicy() },
        Row("default without host", .empty, "AARRRRRRAA") { _ in AlamofireDefaultPolicy(validateHost: false)
        },
        Row("revocation, nothing known", .empty, "ARRRRRRRAA") { _ in AlamofireRevocationPolicy() },
        Row("revocation, answer required", .empty, "RRRRRRRRRR") { _ in
            AlamofireRevocationPolicy(options: [.any, .requirePositiveResponse])
        },
        Row("certificates", .empty, "RRRRRRRRRR") { AlamofirePinnedCertificatesPolicy(certificates: $0) },
        Row("certificates", .wrong, "RRRRRRRRRR") { AlamofirePinnedCertificatesPolicy(certificates: $0) },
        Row("certificates", .leaf, "ARRRRRRRRR") { AlamofirePinnedCertificatesPolicy(certificates: $0) },
        Row("certificates", .root, "ARRRR---RR") { AlamofirePinnedCertificatesPolicy(certificates: $0) },
        Row("certificates, self-signed", .leaf, "ARRARARRRR") {
            AlamofirePinnedCertificatesPolicy(certificates: $0, acceptSelfSignedCertificates: true)
        },
        Row("certificates, self-signed, any host", .leaf, "AARAAAARRR") {
            AlamofirePinnedCertificatesPolicy(
                certificates: $0,
                acceptSelfSignedCertificates: true,
                validateHost: false
            )
        },
        Row("certificates, no validation", .leaf, "AAAAAAAARR") {
            AlamofirePinnedCertificatesPolicy(
                certificates: $0,
                performDefaultValidation: false,
                validateHost: false
            )
        },
        Row("certificates, self-signed, no validation", .leaf, "AAAAAAAARR") {
            AlamofirePinnedCertificatesPolicy(
                certificates: $0,
                acceptSelfSignedCertificates: true,
                performDefaultValidation: false,
                validateHost: false
            )
        },
        Row("keys", .empty, "RRRRRRRRRR") { AlamofirePublicKeysPolicy(certificates: $0) },
        Row("keys", .leaf, "ARRRRRRRRR") { AlamofirePublicKeysPolicy(certificates: $0) },
        Row("keys", .intermediate, "ARRRR---RR") { AlamofirePublicKeysPolicy(certificates: $0) },
        Row("keys, no validation", .leaf, "AAAAAAAARR") {
            AlamofirePublicKeysPolicy(certificates: $0, performDefaultValidation: false, validateHost: false)
        },
        Row("composite", .leaf, "ARRRRRRRRR") {
            try AlamofireCompositePolicy(
                evaluators: [AlamofireDefaultPolicy(), AlamofirePublicKeysPolicy(certificates: $0)]
            )
        },
        Row("disabled", .empty, "AAAAAAAAAA") { _ in AlamofireDisabledPolicy() },
    ]

    private static let pinned = [
        Row("certificate of the leaf", .leaf, "ARRRRRRRRR") {
            CertificatePolicy(certificates: $0, scope: .leaf)
        },
        Row("certificate of the leaf", .root, "RRRRR---RR") {
            CertificatePolicy(certificates: $0, scope: .leaf)
        },
        Row("certificate", .root, "ARRRR---RR") { CertificatePolicy(certificates: $0) },
        Row("certificate", .empty, "RRRRRRRRRR") { CertificatePolicy(certificates: $0) },
        Row("spki of the leaf", .leaf, "ARRRRRRRRR") { SPKIPolicy(pins: spki($0), scope: .leaf) },
        Row("spki", .leaf, "ARRRRRRRRR") { SPKIPolicy(pins: spki($0)) },
        Row("spki", .intermediate, "ARRRR---RR") { SPKIPolicy(pins: spki($0)) },
        Row("spki", .wrong, "RRRRRRRRRR") { SPKIPolicy(pins: spki($0)) },
        Row("raw-key", .leaf, "ARRRRRRRRR") { RawKeyPolicy(pins: raw($0)) },
        Row("raw-key", .root, "RRRRR---RR") { RawKeyPolicy(pins: raw($0)) },
        Row("raw-key with pins of SPKI", .leaf, "RRRRRRRRRR") { RawKeyPolicy(pins: spki($0)) },
    ]

    private static let others = [
        Row("okhttp", .leaf, "ARRRRRRRRR") { OkHttpPolicy(pins: exact($0)) },
        Row("okhttp", .root, "ARRRR---RR") { OkHttpPolicy(pins: exact($0)) },
        Row("curl", .empty, "ARRRRRRRAA") { _ in CurlPolicy() },
        Row("curl", .leaf, "ARRRRRRRRR") { CurlPolicy(pinnedPublicKey: .file($0.first?.spki ?? [])) },
        Row("curl", .root, "RRRRR---RR") { CurlPolicy(pinnedPublicKey: .file($0.first?.spki ?? [])) },
        Row("curl -k", .leaf, "AAAAAAAARR") {
            CurlPolicy(pinnedPublicKey: .file($0.first?.spki ?? []), insecure: true)
        },
        Row("curl -k", .empty, "AAAAAAAAAA") { _ in CurlPolicy(insecure: true) },
        Row("hpkp", .leaf, "ARRRRRRRRR") {
            HPKPPolicy(header: HPKPHeader(pins: spki($0) + [FakeFacts.none], maxAge: 60))
        },
        Row("hpkp, report only", .leaf, "ARRRRRRRAA") {
            HPKPPolicy(header: HPKPHeader(pins: spki($0), maxAge: nil), reportOnly: true)
        },
        Row("dane 3 1 1", .leaf, "AAAAAAAARR") { DANEPolicy(records: record(.daneEE, $0)) },
        Row("dane 3 1 1 with names", .leaf, "ARAARARARR") {
            DANEPolicy(records: record(.daneEE, $0), nameChecksForEE: true)
        },
        Row("dane 2 1 1", .intermediate, "ARRAR---RR") { DANEPolicy(records: record(.daneTA, $0)) },
        // The root of the public CA is not sent.
        Row("dane 2 1 1", .root, "RRRAR---RR") { DANEPolicy(records: record(.daneTA, $0)) },
        Row("dane 1 1 1", .leaf, "ARRRRRRRRR") { DANEPolicy(records: record(.pkixEE, $0)) },
        Row("dane 0 1 1", .intermediate, "ARRRR---RR") { DANEPolicy(records: record(.pkixTA, $0)) },
        Row("dane 0 1 1", .root, "ARRRR---RR") { DANEPolicy(records: record(.pkixTA, $0)) },
        Row("dane 0 1 1", .leaf, "RRRRRRRRRR") { DANEPolicy(records: record(.pkixTA, $0)) },
        Row("tofu, known", .leaf, "AAAAAAAARR") { TOFUPolicy(store: store($0)) },
        Row("tofu, another key known", .wrong, "RRRRRRRRRR") { TOFUPolicy(store: store($0), strict: false) },
        Row("tofu, unknown", .empty, "RRRRRRRRRR") { TOFUPolicy(store: store($0)) },
        Row("tofu, unknown, not strict", .empty, "AAAAAAAAAA") {
            TOFUPolicy(store: store($0), strict: false)
        },
    ]

    private static let broken = [
        Row("accept all", .empty, "AAAAAAAAAA") { _ in BrokenPolicy(.acceptAll) },
        Row("presented (CVE-2016-2402)", .leaf, "ARRRRRRRRA") {
            BrokenPolicy(.presentedSPKI, pins: spki($0))
        },
        Row("no host (Spinner)", .intermediate, "AARRR---RR") { BrokenPolicy(.noHost, pins: spki($0)) },
        Row("no host, no pins", .empty, "AARRRRRRAA") { BrokenPolicy(.noHost, pins: spki($0)) },
        Row("unvalidated leaf", .leaf, "AAAAAAAARR") { BrokenPolicy(.unvalidatedSPKI, pins: spki($0)) },
        Row("unvalidated path", .intermediate, "AAAAA---RR") {
            BrokenPolicy(.unvalidatedSPKI, pins: spki($0), scope: .chain)
        },
    ]

    @Test("each mechanism decides as its column says", arguments: rows)
    func table(_ row: Row) throws {
        let scene = try Self.scene.get()
        for (column, cell) in zip(AFDecisionTable.Column.allCases, row.outcomes) where cell != "-" {
            let policy = try row.policy(scene.pinned(row.pins, column))
            let judgement = policy.judge(scene.pki.evidence(scene.presented(column)), with: Self.verifier)
            #expect(
                (judgement.word == "trusted" ? "A" : "R") == cell,
                "\(column.rawValue): \(judgement.word) \(judgement.detail)"
            )
            #expect(!judgement.checks.isEmpty && judgement.checks.allSatisfy { !$0.detail.isEmpty })
        }
    }

    @Test("an evaluator of a composite leaves its anchors to the next")
    func sharedTrust() throws {
        let scene = try Self.scene.get()
        let pinned = AlamofirePinnedCertificatesPolicy(
            certificates: [scene.pki.privateCA.root],
            acceptSelfSignedCertificates: true
        )
        let evidence = scene.pki.evidence(scene.presented(.privateOK))
        func word(_ evaluators: [any TrustPolicy]) throws -> String {
            try AlamofireCompositePolicy(evaluators: evaluators).judge(evidence, with: Self.verifier).word
        }
        #expect(try word([pinned, AlamofireDefaultPolicy()]) == "trusted")
        #expect(["untrusted", "selfSigned"].contains(try word([AlamofireDefaultPolicy(), pinned])))
    }
}
