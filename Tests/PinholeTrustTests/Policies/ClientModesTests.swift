import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@Suite("Client modes against attacks and legitimate changes (PINNING.md 3)")
struct ClientModesTests {
    /// The modes of PINNING.md 3.1.
    enum Mode: String, CaseIterable, Sendable {
        case sys, ao, lc, cc, sl, sc, pb, nv, nvc, nh, aa
    }

    /// What is presented, by the row of PINNING.md, and the modes that reject it.
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
            let ca = pki.publicCA
            let leaf = try ca.leaf(TestPKI.host, key: pki.key)
            let real = [leaf, ca.intermediate]
            let stranger = pki.privateCA
            let foreign = try stranger.leaf(TestPKI.host, key: pki.otherKey)
            let rogue = [try pki.proxyCA.leaf(TestPKI.host, key: pki.otherKey), pki.proxyCA.intermediate]
            // The names of the real hierarchy on other keys.
            let lookalike = try TestPKI.Hierarchy("Public")
            let forged = try lookalike.leaf(TestPKI.host, key: pki.otherKey)
            func odd(
                key: PrivateKey,
                _ change: (inout CertificateTemplate) -> Void
            ) throws -> [CertificateFacts] {
                var template = TestPKI.template(TestPKI.host, expired: false)
                change(&template)
                return [try template.signed(by: ca.issuer, key: key).facts, ca.intermediate]
            }
            let day = Duration.seconds(86_400)
            var chains: [String: [CertificateFacts]] = [:]
            chains["A01"] = [foreign, stranger.intermediate, stranger.root]
            chains["A02"] = rogue
            chains["A03"] = rogue
            chains["A04"] = [try ca.leaf(TestPKI.host, key: pki.otherKey), ca.intermediate]
            chains["A05"] = [try ca.leaf(TestPKI.otherHost, key: pki.otherKey), ca.intermediate]
            chains["A06"] = [try TestPKI.selfSigned(TestPKI.host, key: pki.otherKey)]
            chains["A07"] = [forged, lookalike.intermediate, lookalike.root]
            chains["A08"] = [forged, ca.intermediate]
            chains["A09"] = rogue + real
            chains["A10"] = [rogue[0]] + real.reversed() + rogue.dropFirst()
            chains["A11"] = [try ca.leaf(TestPKI.host, key: pki.key, expired: true), ca.intermediate]
            chains["A12"] = try odd(key: pki.key) { $0.notBefore = FakeFacts.now + day }
            chains["A13"] = try odd(key: pki.key) {
                $0.commonName = TestPKI.host
                $0.names = []
            }
            chains["A17"] = try odd(key: pki.key) { $0.names = [.name("*.\(TestPKI.host)")] }
            let bought = try Identity(
                chain: [
                    TestPKI.template(TestPKI.otherHost, expired: false).signed(
                        by: ca.issuer,
                        key: pki.otherKey
                    )
                ],
                key: pki.otherKey
            )
            let below = try TestPKI.template(TestPKI.host, expired: false).signed(
                by: bought,
                key: pki.otherKey
            )
            chains["A22"] = [below.facts, bought.certificate.facts, ca.intermediate]
            var constrained = TestPKI.authority("Constrained CA")
            constrained.constraints = try NameConstraints(permitting: [TestPKI.otherHost])
            let narrow = try Identity(
                chain: [constrained.signed(by: pki.proxyCA.rootIdentity, key: pki.otherKey)],
                key: pki.otherKey
            )
            let outside = try TestPKI.template(TestPKI.host, expired: false)
                .signed(by: narrow, key: pki.otherKey)
            chains["A21"] = [outside.facts, narrow.certificate.facts]
            let deep = try Identity(
                chain: [TestPKI.authority("Deep CA").signed(by: ca.issuer, key: pki.otherKey)],
                key: pki.otherKey
            )
            let tooDeep = try TestPKI.template(TestPKI.host, expired: false).signed(
                by: deep,
                key: pki.otherKey
            )
            chains["A23"] = [tooDeep.facts, deep.certificate.facts, ca.intermediate]
            chains["L06"] = [
                leaf,
                try TestPKI.authority("Public Issuing CA")
                    .signed(by: pki.proxyCA.rootIdentity, key: ca.issuer.key).facts,
            ]
            chains["L07"] = try odd(key: pki.key) { $0.names = [.name("*.pinned.test")] }
            chains["A24"] = try odd(key: pki.key) { $0.purposes = [.clientAuth] }
            chains["A28"] = real
            chains["L01"] = [leaf, ca.root, leaf, pki.wrong, ca.intermediate]
            chains["L02"] = [try ca.leaf(TestPKI.host, key: pki.key), ca.intermediate]
            chains["L03"] = [try ca.leaf(TestPKI.host, key: backupKey), ca.intermediate]
            chains["L04"] = [try ca.leaf(TestPKI.host, key: PrivateKey.generateP256()), ca.intermediate]
            chains["L11"] = [leaf]
            self.pki = pki
            self.leaf = leaf
            self.backupKey = backupKey
            self.chains = chains
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

    @Test("the modes that PINNING.md names reject, the others accept", arguments: scenarios)
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
