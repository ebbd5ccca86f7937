import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@Suite("Client modes against attacks and legitimate changes (PINNING.md 3)")
struct ClientModesTests {
    /// The modes of PINNING.md 3.1.
    enum Mode: String, CaseIterable, Sendable {
        case SYS, AO, LC, CC, SL, SC, PB, NV, NVC, NH, AA
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

    private static let allButAA = Mode.allCases.filter { $0 != .AA }

    static let scenarios = [
        Scenario("A01", allButAA),
        Scenario("A02", [.AO, .LC, .CC, .SL, .SC, .PB, .NV, .NVC, .NH]),
        Scenario("A03", [.AO, .LC, .CC, .SL, .SC, .PB, .NV, .NVC, .NH]),
        Scenario("A04", [.LC, .SL, .PB, .NV]),
        Scenario("A05", [.SYS, .AO, .LC, .CC, .SL, .SC, .PB, .NV]),
        Scenario("A06", allButAA),
        Scenario("A07", allButAA),
        Scenario("A08", allButAA),
        Scenario("A09", [.AO, .LC, .CC, .SL, .SC, .NV, .NVC, .NH]),
        Scenario("A10", [.AO, .LC, .CC, .SL, .SC, .NV, .NVC, .NH]),
        Scenario("A11", [.SYS, .AO, .LC, .CC, .SL, .SC, .PB, .NH]),
        Scenario("A12", [.SYS, .AO, .LC, .CC, .SL, .SC, .PB, .NH]),
        Scenario("A13", [.SYS, .AO, .LC, .CC, .SL, .SC, .PB]),
        Scenario("A17", [.SYS, .AO, .LC, .CC, .SL, .SC, .PB]),
        Scenario("A24", [.SYS, .AO, .LC, .CC, .SL, .SC, .PB, .NH]),
        Scenario("A28", []),
        Scenario("L01", []),
        Scenario("L02", [.LC]),
        Scenario("L03", [.LC]),
        Scenario("L04", [.LC, .SL, .PB, .NV]),
        Scenario("L11", [.SYS, .AO, .LC, .CC, .SL, .SC, .PB, .NVC, .NH]),
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
            case .SYS: SystemPolicy()
            case .AO: AnchorsOnlyPolicy(anchors: [pki.publicCA.root])
            case .LC: CertificatePolicy(certificates: [leaf], scope: .leaf)
            case .CC: CertificatePolicy(certificates: [pki.publicCA.intermediate])
            case .SL: SPKIPolicy(pins: leafPins, scope: .leaf)
            case .SC: SPKIPolicy(pins: authorityPins)
            case .PB: BrokenPolicy(.presentedSPKI, pins: leafPins)
            case .NV: BrokenPolicy(.unvalidatedSPKI, pins: leafPins)
            case .NVC: BrokenPolicy(.unvalidatedSPKI, pins: authorityPins, scope: .chain)
            case .NH: BrokenPolicy(.noHost, pins: authorityPins)
            case .AA: BrokenPolicy(.acceptAll)
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
