import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeClient
@testable import PinholeLab

/// The facts are written down; here they are compared with the certificates of each stage.
@Suite("The facts of scenarios")
struct ScenarioFactsTests {
    private static let world = Result { try LabWorld() }

    /// What a certificate is to policies.
    private static func link(_ certificate: CertificateFacts, _ world: LabWorld) -> ChainLink {
        for holder in KeyHolder.allCases {
            guard let own = world.certificate(of: holder), own.spki == certificate.spki else { continue }
            return ChainLink(holder, isOriginal: own.der == certificate.der)
        }
        return ChainLink(.other, isOriginal: false)
    }

    /// What a client of a stage is shown.
    private static func shown(_ staging: Staging, _ world: LabWorld) throws -> [CertificateFacts] {
        switch staging.impostor {
        case .presenting(let identity): return identity.chain.map(\.facts)
        case .minted:
            let minted = try LeafMinter(authority: world.proxyAuthority)
                .mint(LeafRequest(names: [world.host]), now: world.now)
            return minted.chain.map(\.facts)
        case nil:
            let strays = staging.tampering == .hidesExtension(Tampering.serverName)
            return ((strays ? staging.defaultHost?.identity : staging.alternative) ?? staging.identity).chain
                .map(\.facts)
        }
    }

    @Test("describe the certificates", arguments: Scenario.catalogue.map(\.id))
    func certificates(id: String) throws {
        let world = try Self.world.get()
        let scenario = try #require(Scenario.catalogue.first { $0.id == id })
        let facts = try #require(scenario.facts)
        let encounter = try #require(facts.encounters.first)
        let staging = try scenario.staging(world)
        let shown = try Self.shown(staging, world)
        #expect(shown.map { Self.link($0, world) } == encounter.presented)

        let leaf = try #require(shown.first)
        let logs = Set((leaf.timestamps ?? []).map(\.log))
        #expect(logs.count == encounter.logs)
        #expect(leaf.mustStaple == encounter.demandsStaple)
        let stapled = staging.impostorOptions.stapledResponse ?? staging.options.stapledResponse
        #expect((stapled != nil) == (encounter.staple != nil))
        #expect(staging.isFirstContact == facts.isFirstContact)
        #expect((staging.scheme == .http) == (facts.trick == .cleartext))
    }

    @Test("describe the path and its fault", arguments: Scenario.catalogue.map(\.id))
    func path(id: String) throws {
        let world = try Self.world.get()
        let scenario = try #require(Scenario.catalogue.first { $0.id == id })
        let facts = try #require(scenario.facts)
        let encounter = try #require(facts.encounters.first)
        let staging = try scenario.staging(world)
        var settings = ClientSettings(
            anchors: staging.roots(in: world),
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(),
            reading: .whole(atMost: 1 << 20)
        )
        if staging.installsProxyAuthority { settings.userAnchors = [world.proxyRoot.sha256] }
        staging.adapt?(&settings)
        #expect((settings.judgementTime != nil) == facts.isAfterPinExpiry)

        var evidence = Evidence(
            host: try Host(staging.writtenHost ?? world.name),
            presented: PresentedChain(try Self.shown(staging, world)),
            anchors: settings.anchors,
            time: settings.judgementTime ?? world.now
        )
        evidence.userAnchors = settings.userAnchors
        evidence.localAnchors = settings.localAnchors
        evidence.logs = world.logs.list
        var question = ChainQuestion(evidence, by: .apple)
        let answer = ChainVerifier().evaluate(question)
        let expected: Set<ChainFault.Kind> =
            encounter.end == .nowhere ? encounter.faults.union([.untrusted]) : encounter.faults
        #expect(answer.isValid == expected.isEmpty, "\(String(describing: answer.fault))")
        #expect(encounter.faults.count <= 1)
        if let fault = answer.fault, encounter.end != .nowhere { #expect(encounter.faults == [fault.kind]) }

        // Without a name and a purpose to ask for, the path is there as far as it was built.
        question.host = nil
        question.requiresServerPurpose = false
        let built = ChainVerifier().evaluate(question).built
        #expect(built.map { Self.link($0, world) } == encounter.path)
        let top = built.last
        let isAnchored = top.map(settings.anchors.contains) ?? false
        let isUser = top.map { settings.userAnchors.contains($0.sha256) } ?? false
        #expect(encounter.end == (isUser ? .user : isAnchored ? .system : .nowhere))
    }

    @Test("each scenario uses the host that its facts name")
    func hosts() throws {
        let world = try Self.world.get()
        for scenario in Scenario.catalogue {
            let staging = try scenario.staging(world)
            let asked = scenario.facts?.encounters.first?.asked
            switch try Host(staging.writtenHost ?? world.name) {
            case world.host: #expect(asked == .meant, "\(scenario.id)")
            case world.internationalHost: #expect(asked == .subdomain, "\(scenario.id)")
            case LabWorld.attackerHost: #expect(asked == .foreign, "\(scenario.id)")
            case .address: #expect(asked == .address, "\(scenario.id)")
            case .name(let name): Issue.record("\(scenario.id): \(name)")
            }
        }
    }
}
