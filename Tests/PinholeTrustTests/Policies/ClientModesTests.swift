import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@Suite("Client modes against attacks and legitimate changes")
struct ClientModesTests {
    /// The modes of docs/SCENARIOS.md.
    enum Mode: String, CaseIterable, Sendable {
        case sys, ao, lc, cc, sl, sc, pb, nv, nvc, nh, aa
    }

    /// The presented chains by the rows of docs/SCENARIOS.md, and the modes that reject them.
    struct Scenario: Sendable, CustomStringConvertible {
        let id: String
        let rejectedBy: Set<Mode>

        init(_ id: String, _ rejectedBy: [Mode]) {
            self.id = id
            self.rejectedBy = Set(rejectedBy)
        }

        var description: String { id }
    }

    private static let allButAcceptAll = Mode.allCases.filter { $0 != .aa }

    static let scenarios = [
        Scenario("A01", allButAcceptAll),
        Scenario("A02", [.ao, .lc, .cc, .sl, .sc, .pb, .nv, .nvc, .nh]),
        Scenario("A03", [.ao, .lc, .cc, .sl, .sc, .pb, .nv, .nvc, .nh]),
        Scenario("A04", [.lc, .sl, .pb, .nv]),
        Scenario("A05", [.sys, .ao, .lc, .cc, .sl, .sc, .pb, .nv]),
        Scenario("A06", allButAcceptAll),
        Scenario("A07", allButAcceptAll),
        Scenario("A08", allButAcceptAll),
        Scenario("A08, copied identifier", allButAcceptAll),
        Scenario("A08, no identifier", allButAcceptAll),
        Scenario("A09", [.ao, .lc, .cc, .sl, .sc, .nv, .nvc, .nh]),
        Scenario("A10", [.ao, .lc, .cc, .sl, .sc, .nv, .nvc, .nh]),
        Scenario("A11", [.sys, .ao, .lc, .cc, .sl, .sc, .pb, .nh]),
        Scenario("A12", [.sys, .ao, .lc, .cc, .sl, .sc, .pb, .nh]),
        Scenario("A13", [.sys, .ao, .lc, .cc, .sl, .sc, .pb]),
        Scenario("A17", [.sys, .ao, .lc, .cc, .sl, .sc, .pb]),
        Scenario("A21", allButAcceptAll),
        Scenario("A23", [.sys, .ao, .lc, .cc, .sl, .sc, .pb, .nv, .nh]),
        Scenario("A22", allButAcceptAll),
        Scenario("A24", [.sys, .ao, .lc, .cc, .sl, .sc, .pb, .nh]),
        Scenario("A28", []),
        Scenario("L01", []),
        Scenario("L02", [.lc]),
        Scenario("L03", [.lc]),
        Scenario("L04", [.lc, .sl, .pb, .nv]),
        Scenario("L06", [.ao, .cc]),
        Scenario("L07", [.lc]),
        Scenario("L11", [.sys, .ao, .lc, .cc, .sl, .sc, .pb, .nvc, .nh]),
    ]

    /// The certificates of the scenarios, and the pins of the modes.
    struct World: Sendable {
        let pki: TestPKI
        let leaf: CertificateFacts
        let backupKey: PrivateKey
        let chains: [String: [CertificateFacts]]

        init() throws {
            let pki = try TestPKI()
            let backupKey = try PrivateKey.generateP256()
            let leaf = try pki.publicCA.leaf(TestPKI.host, key: pki.key)
            var chains = try Self.otherHierarchies(pki, leaf)
            chains.merge(try Self.oddLeaves(pki)) { first, _ in first }
            chains.merge(try Self.oddAuthorities(pki)) { first, _ in first }
            chains.merge(try Self.legitimate(pki, leaf, backupKey)) { first, _ in first }
            self.pki = pki
            self.leaf = leaf
            self.backupKey = backupKey
            self.chains = chains
        }

        private typealias Chains = [String: [CertificateFacts]]

        /// Another CA, or the same for another host.
        private static func otherHierarchies(_ pki: TestPKI, _ leaf: CertificateFacts) throws -> Chains {
            let ca = pki.publicCA
            let stranger = pki.privateCA
            let foreign = try stranger.leaf(TestPKI.host, key: pki.otherKey)
            let forged = try pki.proxyCA.leaf(TestPKI.host, key: pki.otherKey)
            let rogue = [forged, pki.proxyCA.intermediate]
            // The names of the real hierarchy on other keys.
            let lookalike = try TestPKI.Hierarchy("Public")
            let imitated = try lookalike.leaf(TestPKI.host, key: pki.otherKey)
            return [
                "A01": [foreign, stranger.intermediate, stranger.root],
                "A02": rogue,
                "A03": rogue,
                "A04": [try ca.leaf(TestPKI.host, key: pki.otherKey), ca.intermediate],
                "A05": [try ca.leaf(TestPKI.otherHost, key: pki.otherKey), ca.intermediate],
                "A06": [try TestPKI.selfSigned(TestPKI.host, key: pki.otherKey)],
                "A07": [imitated, lookalike.intermediate, lookalike.root],
                "A08": [imitated, ca.intermediate],
                "A08, copied identifier": try pki.forged(
                    identifier: ca.issuer.certificate.subjectKeyIdentifier
                ),
                "A08, no identifier": try pki.forged(identifier: nil),
                "A09": rogue + [leaf, ca.intermediate],
                "A10": [forged, ca.intermediate, leaf, pki.proxyCA.intermediate],
                "A28": [leaf, ca.intermediate],
            ]
        }

        /// The real key in certificates of the pinned CA that do not hold.
        private static func oddLeaves(_ pki: TestPKI) throws -> Chains {
            let ca = pki.publicCA
            func odd(_ change: (inout CertificateTemplate) -> Void) throws -> [CertificateFacts] {
                var template = TestPKI.template(TestPKI.host, expired: false)
                change(&template)
                return [try template.signed(by: ca.issuer, key: pki.key).facts, ca.intermediate]
            }
            return [
                "A11": [try ca.leaf(TestPKI.host, key: pki.key, expired: true), ca.intermediate],
                "A12": try odd { $0.notBefore = FakeFacts.now + .seconds(86_400) },
                "A13": try odd {
                    $0.commonName = TestPKI.host
                    $0.names = []
                },
                "A17": try odd { $0.names = [.name("*.\(TestPKI.host)")] },
                "A24": try odd { $0.purposes = [.clientAuth] },
                "L07": try odd { $0.names = [.name("*.pinned.test")] },
            ]
        }

        /// Issuers that may not issue.
        private static func oddAuthorities(_ pki: TestPKI) throws -> Chains {
            let ca = pki.publicCA
            func leaf(below issuer: Identity) throws -> CertificateFacts {
                try TestPKI.template(TestPKI.host, expired: false).signed(by: issuer, key: pki.otherKey).facts
            }
            func issuer(_ template: CertificateTemplate, below parent: Identity) throws -> Identity {
                try Identity(chain: [template.signed(by: parent, key: pki.otherKey)], key: pki.otherKey)
            }
            var template = TestPKI.authority("Constrained CA")
            template.constraints = try NameConstraints(permitting: [TestPKI.otherHost])
            let narrow = try issuer(template, below: pki.proxyCA.rootIdentity)
            let bought = try issuer(TestPKI.template(TestPKI.otherHost, expired: false), below: ca.issuer)
            let deep = try issuer(TestPKI.authority("Deep CA"), below: ca.issuer)
            return [
                "A21": [try leaf(below: narrow), narrow.certificate.facts],
                "A22": [try leaf(below: bought), bought.certificate.facts, ca.intermediate],
                "A23": [try leaf(below: deep), deep.certificate.facts, ca.intermediate],
            ]
        }

        /// The real server after a change.
        private static func legitimate(
            _ pki: TestPKI,
            _ leaf: CertificateFacts,
            _ backupKey: PrivateKey
        ) throws -> Chains {
            let ca = pki.publicCA
            let crossed = try TestPKI.authority("Public Issuing CA")
                .signed(by: pki.proxyCA.rootIdentity, key: ca.issuer.key).facts
            return [
                "L01": [leaf, ca.root, leaf, pki.wrong, ca.intermediate],
                "L02": [try ca.leaf(TestPKI.host, key: pki.key), ca.intermediate],
                "L03": [try ca.leaf(TestPKI.host, key: backupKey), ca.intermediate],
                "L04": [try ca.leaf(TestPKI.host, key: PrivateKey.generateP256()), ca.intermediate],
                "L06": [leaf, crossed],
                "L11": [leaf],
            ]
        }

        func policy(_ mode: Mode) throws -> any TrustPolicy {
            let backup = try TestPKI.selfSigned("backup.test", key: backupKey)
            let leafPins = [FakeFacts.pin(leaf), FakeFacts.pin(backup)]
            let authorityPins = [FakeFacts.pin(pki.publicCA.intermediate), FakeFacts.none]
            return switch mode {
            case .sys: SystemPolicy()
            case .ao: AnchorsOnlyPolicy(anchors: [pki.publicCA.root])
            case .lc: CertificatePolicy(certificates: [leaf], scope: .leaf)
            case .cc: CertificatePolicy(certificates: [pki.publicCA.intermediate])
            case .sl: SPKIPolicy(pins: leafPins, scope: .leaf)
            case .sc: SPKIPolicy(pins: authorityPins)
            case .pb: BrokenPolicy(.presentedSPKI, pins: leafPins)
            case .nv: BrokenPolicy(.unvalidatedSPKI, pins: leafPins)
            case .nvc: BrokenPolicy(.unvalidatedSPKI, pins: authorityPins, scope: .chain)
            case .nh: BrokenPolicy(.noHost, pins: authorityPins)
            case .aa: BrokenPolicy(.acceptAll)
            }
        }
    }

    private static let world = Result { try World() }
    private static let verifier = ChainVerifier()

    @Test("a CA's pin holds for nothing that the CA did not sign, also where the chain is not validated")
    func forged() throws {
        let world = try Self.world.get()
        let pins = [world.pki.publicCA.intermediate]
        let policies: [any TrustPolicy] = [
            AFSecurityPolicy(
                pinningMode: .publicKey,
                allowInvalidCertificates: true,
                pinnedCertificates: pins
            ),
            AlamofirePublicKeysPolicy(
                certificates: pins,
                performDefaultValidation: false,
                validateHost: false
            ),
            AlamofirePinnedCertificatesPolicy(
                certificates: pins,
                performDefaultValidation: false,
                validateHost: false
            ),
        ]
        for id in ["A08", "A08, copied identifier", "A08, no identifier"] {
            let evidence = world.pki.evidence(try #require(world.chains[id]))
            for policy in policies {
                let word = policy.judge(evidence, with: Self.verifier).word
                #expect(word == "pinMismatch", "\(id): \(policy.mechanism)")
            }
        }
    }

    @Test("only the modes of the table reject", arguments: scenarios)
    func matrix(_ scenario: Scenario) throws {
        let world = try Self.world.get()
        let evidence = world.pki.evidence(try #require(world.chains[scenario.id]))
        for mode in Mode.allCases {
            let judgement = try world.policy(mode).judge(evidence, with: Self.verifier)
            #expect(
                (judgement.word != "trusted") == scenario.rejectedBy.contains(mode),
                "\(mode.rawValue): \(judgement.word) \(judgement.detail)"
            )
        }
    }
}
