import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeLab

@Suite("Roles of pins")
struct PinRolesTests {
    private static let worlds = Result {
        (user: try LabWorld(), lab: try LabWorld())
    }

    private let user: LabWorld
    private let lab: LabWorld

    init() throws { (user, lab) = try Self.worlds.get() }

    private func key(_ certificate: CertificateFacts) -> PinnedValue {
        PinnedValue(.keySHA256, certificate.spkiSHA256)
    }

    private func roles(
        _ position: PinList.Position,
        _ values: [PinnedValue],
        chain: [CertificateFacts] = []
    ) -> [PinRole?] {
        let roles = PinRoles([PinnedList(position, values)], chain: chain).roles
        return values.map { roles[$0] }
    }

    private var strangers: [PinnedValue] {
        [user.stranger.root, user.rogue.root, user.rogue.issuer].map { key($0.certificate.facts) }
    }

    @Test("a pin of the chain has the role of its certificate; others in the list are backups")
    func byChain() {
        let chain = [user.leaf, user.intermediate, user.root]
        let all = chain.map { key($0) }
        #expect(roles(.any, all, chain: chain) == [.leaf, .intermediate, .root])
        #expect(roles(.any, [strangers[0], all[0]], chain: chain) == [.backupLeaf, .leaf])
        #expect(roles(.any, [all[1], strangers[0]], chain: chain) == [.intermediate, .backupIntermediate])
        #expect(
            roles(.any, [all[0], all[1]] + strangers, chain: chain)
                == [.leaf, .intermediate, .backupLeaf, .backupIntermediate, nil]
        )
        #expect(roles(.leaf, [all[0]] + strangers, chain: chain) == [.leaf, .backupLeaf, nil, nil])
        // An intermediate's pin where only the leaf is compared goes on to match nothing.
        #expect(roles(.leaf, [all[1]], chain: chain) == [.intermediate])
        #expect(roles(.any, strangers, chain: chain) == [nil, nil, nil])
    }

    @Test("without a chain the place tells, or the certificate, or else the order")
    func withoutChain() {
        #expect(roles(.leaf, strangers) == [.leaf, .backupLeaf, nil])
        #expect(roles(.authorities, strangers) == [.intermediate, .backupIntermediate, nil])
        #expect(roles(.any, strangers) == [.leaf, .backupLeaf, nil])
        let certificates = [user.root, user.intermediate, user.leaf].map { PinnedValue($0) }
        #expect(roles(.any, certificates) == [.root, .intermediate, .leaf])
        #expect(roles(.any, [strangers[0], strangers[0]]) == [.leaf, .leaf])
    }

    @Test("notes name the guessed roles and the unknown keys")
    func notes() {
        let guessed = PinRoles([PinnedList(.any, strangers)]).notes
        #expect(guessed.count == 2)
        #expect(guessed.first?.hasPrefix("The lab treats “") == true)
        #expect(guessed.first?.hasSuffix(" as pins of unknown keys.") == true)
        #expect(guessed.last?.hasPrefix("The role of each pin is a guess by their order") == true)
        #expect(
            PinRoles([PinnedList(.leaf, strangers)]).notes.map { $0.hasPrefix("The lab treats “") } == [true]
        )
        #expect(PinRoles([]).notes.isEmpty)
    }

    /// A policy of one world, moved to another, decides there as the same policy made there.
    @Test("every built-in policy moves between worlds", arguments: LabPolicy.builtIn.map(\.id))
    func moves(id: String) throws {
        let row = try LabPolicy.named(id)
        let authority = Authority(host: user.host, port: 8443)
        let policy = try row.make(LabPolicy.Target(world: user, authority: authority))
        let wanted = try row.make(LabPolicy.Target(world: lab, authority: authority))
        let lists = policy.pinnedLists(for: user.host)
        let roles = PinRoles(lists, chain: [user.leaf, user.intermediate, user.root])
        let moved = policy.withPins(for: user.host, roles.replacement(in: lab))
        let misissued = try lab.honest.leaf(for: [lab.host], key: lab.attackerKey)
        let rogue = try lab.rogue.leaf(for: [lab.host], key: lab.attackerKey)
        let chains = [lab.identity, lab.backupIdentity, misissued, rogue].map { $0.chain.map(\.facts) }
        let verifier = ChainVerifier()
        for chain in chains {
            var evidence = Evidence(
                host: lab.host,
                presented: PresentedChain(chain),
                anchors: lab.deviceRoots,
                time: lab.now
            )
            evidence.port = authority.port
            let verdicts = [moved, wanted].map { isTrusted($0.judge(evidence, with: verifier).verdict) }
            #expect(verdicts[0] == verdicts[1], "\(chain.first?.subject ?? "")")
        }
    }

    private func isTrusted(_ verdict: Verdict) -> Bool? {
        switch verdict {
        case .trusted: true
        case .rejected: false
        case .notApplicable: nil
        }
    }
}
