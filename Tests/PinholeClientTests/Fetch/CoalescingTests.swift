import PinholeCrypto
import PinholeHTTP2
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import PinholeTrust
import PinholeWire
import Testing

@testable import PinholeClient
@testable import PinholeLab

@Suite("Client, connections shared by hosts")
struct CoalescingTests {
    private static let world = Result { try LabWorld() }
    private static let first = Host.name("a.test")
    private static let second = Host.name("b.test")

    /// Leads from one host to the other, and answers there.
    private static func answer(
        _ event: HTTP2Event,
        _ session: HTTP2Session,
        _ port: UInt16,
        misdirected: Bool
    ) throws {
        guard case .request(let stream, let fields, _) = event else { return }
        let isFirst = fields.first(":authority")?.hasPrefix("\(first)") == true
        var head = HeaderFields()
        head.append(":status", isFirst ? "302" : misdirected ? "421" : "200")
        if isFirst { head.append("location", "https://\(second):\(port)/") }
        try session.respond(head, on: stream, endsStream: true)
    }

    /// What a fetch came to, and over how many connections.
    private func fetch(
        names: [Host] = [first, second],
        options: ServerOptions = ServerOptions(),
        isMisdirectedOnce: Bool = false,
        _ policy: any TrustPolicy = SystemPolicy(),
        _ change: (inout ClientSettings, StreamServer) throws -> Void = { _, _ in }
    ) async throws -> (outcome: FetchOutcome, connections: Int) {
        let world = try Self.world.get()
        let identity = try world.honest.leaf(for: names, key: world.attackerKey)
        let ports = Recorder<UInt16>()
        let server = try StreamServer(identity, options: options) { event, session, number in
            let port = ports.values.first ?? 0
            try Self.answer(event, session, port, misdirected: isMisdirectedOnce && number == 0)
            return true
        }
        ports.note(server.port)
        var settings = ClientSettings(
            anchors: world.deviceRoots,
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(),
            reading: .whole(atMost: 1 << 20)
        )
        settings.overrides = [try Resolver.Override("*:*:127.0.0.1")]
        settings.protocols = [.http2]
        settings.waitLong()
        try change(&settings, server)
        let client = try PinholeClient(settings, delegate: .judging(by: policy))
        let outcome = await client.fetch(try ClientURL("https://\(Self.first):\(server.port)/"))
        return (outcome, server.connectionCount)
    }

    /// Pins a key for the second host alone.
    private func pinning(_ pin: Pin) throws -> HostPolicies {
        HostPolicies([([try HostPattern("\(Self.second)")], SPKIPolicy(pins: [pin], scope: .leaf))])
    }

    @Test("a connection is shared by hosts that its certificate names, and judged for each")
    func shared() async throws {
        let (outcome, count) = try await fetch()
        #expect(outcome.response?.head.status == 200, "\(outcome)")
        #expect(outcome.response?.url.authority.host == Self.second)
        #expect(count == 1)
        #expect(outcome.challenges.map(\.challenge.protectionSpace.host) == [Self.first, Self.second])
        let shown = outcome.story.steps.compactMap { step -> Bool? in
            guard case .serverChain(let presentation) = step else { return nil }
            return presentation.isShared
        }
        #expect(shown == [false, true])
    }

    @Test("the pins of the other host decide: a connection that does not have them is not shared")
    func pinned() async throws {
        let world = try Self.world.get()
        let right = try #require(Pin(digest: Digest.sha256(world.attackerKey.spki)))
        let (accepted, one) = try await fetch(try pinning(right))
        #expect(accepted.response?.head.status == 200, "\(accepted)")
        #expect(one == 1)
        // The new connection is judged by itself, and refused.
        let (refused, two) = try await fetch(try pinning(try ClientStage.wrongPin()))
        #expect(refused.failure?.rejection?.reason == .pinMismatch, "\(refused)")
        #expect(two == 2)
        #expect(refused.requests.count == 1)
    }

    @Test("a client that does not check again sends the request in spite of the pins")
    func unjudged() async throws {
        let policy = try pinning(try ClientStage.wrongPin())
        let (outcome, count) = try await fetch(policy) { settings, _ in
            settings.coalescing = .dangerSkipsJudgement
        }
        #expect(outcome.response?.head.status == 200, "\(outcome)")
        #expect(count == 1)
        #expect(outcome.notes.contains { $0.contains("dangerSkipsJudgement") })
    }

    @Test("a client without shared connections makes one for each host")
    func off() async throws {
        let (outcome, count) = try await fetch { settings, _ in settings.coalescing = .off }
        #expect(outcome.response?.head.status == 200, "\(outcome)")
        #expect(count == 2)
    }

    @Test("a name that the certificate has not is not asked there")
    func unnamed() async throws {
        let (outcome, count) = try await fetch(names: [Self.first]) { settings, _ in
            settings.coalescing = .dangerSkipsJudgement
        }
        #expect(outcome.failure?.rejection?.reason == .chain(.wrongName), "\(outcome)")
        #expect(count == 2)
    }

    @Test("a host at another address has connections of its own")
    func otherAddress() async throws {
        let (outcome, count) = try await fetch { settings, server in
            // The first address that fits is taken; nobody listens at the second one.
            settings.overrides = [
                try Resolver.Override("\(Self.first):*:127.0.0.1"),
                try Resolver.Override("\(Self.second):*:127.0.0.2"),
            ]
        }
        #expect(outcome.failure?.code == .cannotConnectToHost, "\(outcome)")
        #expect(count == 1)
    }

    @Test("after 421 on a shared connection, the request is sent on another connection")
    func misdirected() async throws {
        let (outcome, count) = try await fetch(isMisdirectedOnce: true)
        #expect(outcome.response?.head.status == 200, "\(outcome)")
        #expect(count == 2)
    }

    @Test("no connection is shared if the server asked for a client certificate")
    func clientCertificate() async throws {
        let world = try Self.world.get()
        var options = ServerOptions()
        options.clientAnchors = [world.honest.root.certificate]
        options.demandsClientCertificate = false
        let (outcome, count) = try await fetch(options: options)
        #expect(outcome.response?.head.status == 200, "\(outcome)")
        #expect(count == 2)
    }

    @Test("through the proxy, whose servers speak HTTP/1.1: one connection or two")
    func proxied() async throws {
        let world = try Self.world.get()
        let scenario = try #require(Scenario.catalogue.first { $0.id == "B09" })
        let bench = try await ScenarioBench.start(
            try scenario.staging(world),
            world,
            patience: Patience.limit
        )
        defer { bench.stop() }
        let open = try await bench.visit(try LabPolicy.named("coalesces-open"))
        #expect(open.decision == .accepted, "\(open.summary)")
        #expect(open.wire.flows.count == 1)
        #expect(open.wire.exchanges.map(\.method) == ["GET", "GET"])
        #expect(Set(open.wire.exchanges.map { $0.url.contains(world.name) }) == [true, false])
        let judged = try await bench.visit(try LabPolicy.named("coalesces-judged"))
        #expect(judged.failure?.rejection?.reason == .pinMismatch, "\(judged.summary)")
        #expect(judged.wire.flows.count == 2)
        #expect(judged.wire.exchanges.count == 1)
    }
}
