import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Openings of every kind that end after any byte: each leaves a closed flow with an outcome, and nothing traps.
@Suite("Openings that are cut at every byte")
struct OpeningWalkTests {
    /// The way in which a side goes away.
    enum Ending: CaseIterable {
        case end, reset, alert

        /// Lets `peer` go.
        func act(on peer: TestPeer) {
            peer.wire.removeAll()
            switch self {
            case .end: peer.close(notifies: false)
            case .reset: peer.reset()
            case .alert:
                // A fatal alert in the clear (RFC 8446 §6): handshake_failure.
                peer.wire.append([21, 3, 3, 0, 2, 2, 40])
                peer.close(notifies: false)
            }
        }
    }

    /// A handshake of the proxy with the side that goes away.
    enum Leg: CaseIterable {
        case client, server, proxy
    }

    private static let request = "CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n"

    /// The TLS contexts of a version, which all cuts share.
    private struct Contexts {
        let environment: TunnelEnvironment
        let client: TLSContext
        let server: TLSContext
        let identity: Identity

        /// Creates contexts; with `retries`, servers want a group for which clients have sent no key.
        init(_ version: TLSVersion, retries: Bool) throws {
            let world = try Tunnels.world
            var options = ServerOptions(versions: version...version)
            if retries { options.groups = "P-256" }
            server = try TLSContext(accepting: options)
            environment = TunnelEnvironment(
                accepting: server,
                connecting: try TLSContext(
                    connectingVersions: version...version,
                    trust: try world.serverTrust()
                ),
                identities: [],
                distrusted: []
            )
            let anchors = try TrustAnchors(system: false, additional: [world.proxyAuthority.root])
            client = try TLSContext(connectingVersions: version...version, trust: anchors)
            identity = try world.serverMinter.mint(
                LeafRequest(names: [.name("www.example.com")]),
                now: world.now
            )
        }

        /// A client of the server, or of the proxy itself.
        func engine(of leg: Leg) throws -> TLSEngine {
            let host = try Host(leg == .proxy ? "127.0.0.1" : "www.example.com")
            return try TLSEngine(
                connecting: client,
                judge: ServerJudge(host: host, exemption: nil, distrusted: []),
                serverName: host.name,
                applicationProtocols: ["http/1.1"]
            )
        }

        func serverPeer() throws -> TestPeer {
            TestPeer(
                tls: try TLSEngine(
                    accepting: server,
                    presenting: identity,
                    scope: "a",
                    applicationProtocol: "http/1.1"
                )
            )
        }
    }

    /// Lets an opening go on until `count` bytes of a side have arrived, then ends that side.
    ///
    /// - Returns: Whether the opening was longer than that.
    private func cut(_ leg: Leg, after count: Int, _ ending: Ending, _ contexts: Contexts) throws -> Bool {
        let client = try contexts.engine(of: leg)
        let server = try contexts.serverPeer()
        let harness = try StackHarness(
            Tunnels.world,
            environment: contexts.environment,
            client: leg == .proxy ? TestPeer(tls: client) : TestPeer()
        )
        harness.onDial = { _ in .connect(server) }
        if leg == .proxy {
            harness.room = (count, .max)
        } else {
            harness.client.send(Self.request)
            harness.pump()
            harness.room = leg == .client ? (count, .max) : (.max, count)
            harness.client.secure(with: client)
        }
        #expect(harness.pump())
        let isLonger = (leg == .server ? harness.room.server : harness.room.client) == 0
        harness.room = (.max, .max)
        ending.act(on: leg == .server ? server : harness.client)
        #expect(harness.pump())
        if leg == .server { harness.client.close(notifies: false) }
        harness.pump()
        for _ in 0..<4 where !harness.isClosed { harness.expire() }
        harness.checkEnd()
        return isLonger
    }

    @Test(
        "a handshake that a side leaves after any byte ends with its record",
        arguments: Leg.allCases,
        [(TLSVersion.tls12, false), (.tls13, false), (.tls13, true)]
    )
    func handshakes(leg: Leg, kind: (version: TLSVersion, retries: Bool)) throws {
        let contexts = try Contexts(kind.version, retries: kind.retries)
        let endings = Ending.allCases
        var count = 0
        repeat { count += 1 } while try cut(leg, after: count, endings[count % endings.count], contexts)
        #expect(count > 200)
    }

    @Test(
        "a client that leaves after a HelloRetryRequest ends with a record that names the version and no group",
        arguments: [Leg.client, .proxy],
        Ending.allCases
    )
    func retries(leg: Leg, ending: Ending) throws {
        let contexts = try Contexts(.tls13, retries: true)
        let harness = try StackHarness(Tunnels.world, environment: contexts.environment)
        let server = try contexts.serverPeer()
        harness.onDial = { _ in .connect(server) }
        if leg == .client {
            harness.client.send(Self.request)
            harness.pump()
            harness.client.clear()
        }
        let engine = try contexts.engine(of: leg)
        var nothing = ByteQueue()
        var hello = ByteQueue()
        #expect(engine.handshake(&nothing, &hello) == .wantsInput)
        harness.client.send(hello.prefix())
        #expect(harness.pump())
        // The random of a HelloRetryRequest (RFC 8446 §4.1.3).
        #expect(Array(harness.client.received.dropFirst(11).prefix(4)) == [0xcf, 0x21, 0xad, 0x74])
        ending.act(on: harness.client)
        #expect(harness.pump())
        for _ in 0..<4 where !harness.isClosed { harness.expire() }
        harness.checkEnd()
        let record = try #require(harness.flow?.clientHandshake)
        #expect(record.version == "TLSv1.3" && record.group == nil && record.failure != nil)
        #expect(harness.flow?.outcome?.kind == .handshakeFailed)
    }

    /// What clients send first, without TLS.
    private static let openings: [(name: String, bytes: [UInt8])] = [
        ("HTTP/1", Array("GET http://www.example.com/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n".utf8)),
        ("CONNECT", Array("\(request)GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n".utf8)),
        ("SOCKS4", [4, 1, 0, 80, 192, 0, 2, 1] + Array("me".utf8) + [0]),
        ("SOCKS4a", [4, 1, 0, 80, 0, 0, 0, 1, 0] + Array("www.example.com".utf8) + [0]),
        (
            "SOCKS5",
            [5, 1, 0, 5, 1, 0, 3, 15] + Array("www.example.com".utf8) + [0, 80]
                + Array("GET / HTTP/1.1\r\n".utf8)
        ),
        (
            "SOCKS5 with a login",
            [5, 2, 0, 2, 1, 2] + Array("me".utf8) + [1, 0x61, 5, 1, 0, 1, 192, 0, 2, 1, 0, 80]
        ),
        (
            "WebSocket",
            Array(
                """
                GET http://www.example.com/w HTTP/1.1\r\nHost: www.example.com\r\nUpgrade: websocket\r\n\
                Connection: upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
                """.utf8
            ) + [0x81, 0x82, 1, 2, 3, 4, 0x69, 0x6b]
        ),
    ]
    private static let upgraded = """
        HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n\u{1}\u{2}hi
        """

    @Test("an opening without TLS that a client leaves after any byte ends", arguments: [Ending.end, .reset])
    func plain(ending: Ending) throws {
        for (name, bytes) in Self.openings {
            for count in 0...bytes.count {
                let harness = try StackHarness(Tunnels.world)
                let server = TestPeer()
                harness.onDial = { _ in .connect(server) }
                harness.client.send(bytes.prefix(count))
                #expect(harness.pump(), "\(name), byte \(count)")
                if count == bytes.count, name == "WebSocket" {
                    server.send(Self.upgraded)
                    #expect(harness.pump())
                }
                ending.act(on: harness.client)
                #expect(harness.pump(), "\(name), byte \(count)")
                server.close()
                harness.pump()
                for _ in 0..<4 where !harness.isClosed { harness.expire() }
                harness.checkEnd()
            }
        }
    }

    @Test(
        "a WebSocket that its server leaves after any byte of its opening ends",
        arguments: [Ending.end, .reset]
    )
    func webSocket(ending: Ending) throws {
        let opening = try #require(Self.openings.last).bytes
        let answer = Array(Self.upgraded.utf8)
        for count in 0...answer.count {
            let harness = try StackHarness(Tunnels.world)
            let server = TestPeer()
            harness.onDial = { _ in .connect(server) }
            harness.client.send(opening)
            harness.pump()
            server.send(answer.prefix(count))
            #expect(harness.pump(), "byte \(count)")
            ending.act(on: server)
            #expect(harness.pump(), "byte \(count)")
            harness.client.close()
            harness.pump()
            for _ in 0..<4 where !harness.isClosed { harness.expire() }
            harness.checkEnd()
        }
    }
}
