import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Openings of every kind that end anywhere: each leaves a closed flow with an outcome, and nothing traps.
@Suite("Openings that are cut")
struct OpeningWalkTests {
    typealias Ending = OpeningWalk.Ending
    typealias Leg = OpeningWalk.Leg
    typealias Kind = OpeningWalk.Kind

    private static let kinds = [Kind(.tls12), Kind(.tls13), Kind(.tls13).with { $0.retries = true }]

    @Test(
        "a handshake that a side leaves in any message ends with its record",
        arguments: Leg.allCases,
        kinds
    )
    func handshakes(leg: Leg, kind: Kind) throws {
        #expect(try OpeningWalk(kind).walk(leg) > 70)
    }

    @Test(
        "a resumed handshake that a side leaves in any message ends with its record",
        arguments: Leg.allCases,
        kinds
    )
    func resumptions(leg: Leg, kind: Kind) throws {
        #expect(try OpeningWalk(kind.with { $0.resumes = true }).walk(leg) > 100)
    }

    // The proxy asks no client for a certificate, so its legs with clients have no such handshake.
    @Test(
        "a handshake whose server asks for a client certificate and leaves in any message ends with its record",
        arguments: [Kind.Certificate.presented, .missing],
        kinds
    )
    func clientCertificates(certificate: Kind.Certificate, kind: Kind) throws {
        #expect(try OpeningWalk(kind.with { $0.certificate = certificate }).walk(.server) > 200)
    }

    @Test(
        "a handshake whose client sends early data and leaves in any message ends with its record",
        arguments: [Leg.client, .proxy],
        [false, true]
    )
    func earlyData(leg: Leg, retries: Bool) throws {
        let kind = Kind(.tls13).with {
            $0.sendsEarly = true
            $0.retries = retries
        }
        #expect(try OpeningWalk(kind).walk(leg) > 200)
    }

    @Test(
        "a client that leaves after a HelloRetryRequest ends with a record that names the version and no group",
        arguments: [Leg.client, .proxy],
        Ending.allCases
    )
    func retries(leg: Leg, ending: Ending) throws {
        let walk = try OpeningWalk(Kind(.tls13).with { $0.retries = true })
        let harness = try StackHarness(Tunnels.world, environment: walk.environment)
        let server = try walk.serverPeer()
        harness.onDial = { _ in .connect(server) }
        if leg == .client {
            harness.client.send(OpeningWalk.request)
            harness.pump()
            harness.client.clear()
        }
        let engine = try walk.engine(of: leg)
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
        ("CONNECT", Array("\(OpeningWalk.request)GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n".utf8)),
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
        "an answer that its server leaves after any byte ends, and a WebSocket too",
        arguments: [Ending.end, .reset]
    )
    func answers(ending: Ending) throws {
        let plain = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nA: b\r\n\r\n"
        for (opening, answer) in [(Self.openings.first, plain), (Self.openings.last, Self.upgraded)] {
            let opening = try #require(opening)
            let bytes = Array(answer.utf8)
            for count in 0...bytes.count {
                let harness = try StackHarness(Tunnels.world)
                let server = TestPeer()
                harness.onDial = { _ in .connect(server) }
                harness.client.send(opening.bytes)
                harness.pump()
                server.send(bytes.prefix(count))
                #expect(harness.pump(), "\(opening.name), byte \(count)")
                ending.act(on: server)
                #expect(harness.pump(), "\(opening.name), byte \(count)")
                harness.client.close()
                harness.pump()
                for _ in 0..<4 where !harness.isClosed { harness.expire() }
                harness.checkEnd()
            }
        }
    }
}
