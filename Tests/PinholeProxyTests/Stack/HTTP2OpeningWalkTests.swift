import PinholeCrypto
import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// The first frames of HTTP/2 that end after any byte: each leaves a closed flow with an outcome, and nothing traps.
@Suite("Openings of HTTP/2 that are cut at every byte")
struct HTTP2OpeningWalkTests {
    /// The place where a client speaks HTTP/2.
    enum Place: CaseIterable {
        /// In a tunnel with TLS, to a server of HTTP/2.
        case tunnel
        /// In a tunnel without TLS, to a server of HTTP/2.
        case plainTunnel
        /// On the proxy's own TLS port, to the proxy; the server speaks HTTP/1.
        case port
        /// On the proxy's port without TLS, to the proxy; the server speaks HTTP/1.
        case plainPort

        var isTunnel: Bool { self == .tunnel || self == .plainTunnel }
        var isSecure: Bool { self == .tunnel || self == .port }
    }

    /// The unit in which cuts are counted.
    enum Unit {
        /// A byte of HTTP/2: TLS carries only whole records.
        case content
        /// A byte on the wire: TLS carries records of 24 bytes, so that many frames stand in two of them.
        case wire
    }

    /// An opening of HTTP/2, and the side that goes away in it.
    private struct Opening {
        let place: Place
        let side: Side
        let unit: Unit
        var isConnect = false

        /// The bytes of the side that goes away.
        func bytes() throws -> [UInt8] { side == .client ? try ofClient() : try ofServer() }

        /// The preface, SETTINGS and HEADERS of a client.
        func ofClient() throws -> [UInt8] {
            let session = HTTP2Session(.client)
            var fields = HeaderFields()
            fields.append(":method", isConnect ? "CONNECT" : "GET")
            // Without a port, the scheme http would mean port 80, and not the server of the tunnel.
            let hasPort = isConnect || place == .plainTunnel
            fields.append(":authority", hasPort ? "www.example.com:443" : "www.example.com")
            if !isConnect {
                fields.append(":scheme", place == .tunnel ? "https" : "http")
                fields.append(":path", "/")
                fields.append("accept", "text/html")
            }
            _ = try session.request(fields, endsStream: !isConnect)
            var bytes = ByteQueue()
            session.write(into: &bytes, limit: 1 << 20)
            return bytes.prefix()
        }

        /// The whole answer of a server: SETTINGS, their acknowledgement, HEADERS and DATA, or a response of HTTP/1.
        private func ofServer() throws -> [UInt8] {
            guard place.isTunnel else { return Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
            let session = HTTP2Session(.server)
            var opening = ByteQueue(try ofClient())
            session.receive(&opening, at: try Tunnels.world.now)
            var fields = HeaderFields()
            fields.append(":status", "200")
            fields.append("content-type", "text/plain")
            while let event = session.nextEvent() {
                guard case .request(let stream, _, endsStream: _) = event else { continue }
                try session.respond(fields, on: stream, endsStream: false)
                var body = ByteQueue(Array("ok".utf8))
                session.send(body.count, from: &body, on: stream)
                try session.finish(stream)
            }
            var bytes = ByteQueue()
            session.write(into: &bytes, limit: 1 << 20)
            return bytes.prefix()
        }
    }

    /// A client whose next bytes are HTTP/2, and its server.
    private func open(_ place: Place, _ walk: OpeningWalk) throws -> (StackHarness, server: TestPeer) {
        let client = try walk.engine(of: place == .port ? .proxy : .client, protocols: ["h2"])
        let server = place == .tunnel ? try walk.serverPeer("h2") : TestPeer()
        let harness = try StackHarness(
            Tunnels.world,
            environment: walk.environment,
            client: place == .port ? TestPeer(tls: client) : TestPeer()
        )
        harness.conversesInHTTP2 = true
        // A request that is repeated finds no server.
        var isDialed = false
        harness.onDial = { _ in
            defer { isDialed = true }
            return isDialed ? .fail(DialFailure(.refused, "nobody listens")) : .connect(server)
        }
        if place.isTunnel {
            harness.client.send(OpeningWalk.request)
            harness.pump()
            harness.client.clear()
            if place.isSecure { harness.client.secure(with: client) }
        }
        #expect(harness.pump() && harness.client.isSecure == place.isSecure)
        return (harness, server)
    }

    /// Lets a side send `bytes` until `count` of them have arrived, then ends that side.
    ///
    /// - Returns: Whether the bytes were more than that.
    private func cut(
        _ opening: Opening,
        _ bytes: [UInt8],
        after count: Int,
        _ walk: OpeningWalk
    ) throws -> Bool {
        let (harness, server) = try open(opening.place, walk)
        let isClient = opening.side == .client
        if !isClient {
            harness.client.send(try opening.ofClient())
            #expect(harness.pump())
        }
        let peer = isClient ? harness.client : server
        var isLonger = count < bytes.count
        switch opening.unit {
        case .content:
            peer.send(bytes.prefix(count))
            #expect(harness.pump())
        case .wire:
            harness.room = isClient ? (count, .max) : (.max, count)
            for record in Chunking.chunks(of: bytes, size: 24) { peer.send(record) }
            #expect(harness.pump())
            isLonger = (isClient ? harness.room.client : harness.room.server) == 0
            harness.room = (.max, .max)
        }
        OpeningWalk.Ending.turn(count).act(on: peer)
        #expect(harness.pump())
        if !isClient { harness.client.close() }
        harness.pump()
        for _ in 0..<4 where !harness.isClosed { harness.expire() }
        harness.checkEnd()
        if !isLonger { checkWhole(opening, harness, server) }
        return isLonger
    }

    /// Expects that an opening that was not cut has led to a server, and its answer to the client.
    private func checkWhole(_ opening: Opening, _ harness: StackHarness, _ server: TestPeer) {
        // The harness opens no tunnel in a stream.
        guard !opening.isConnect else { return #expect(harness.dialed.isEmpty && harness.exchanges.isEmpty) }
        #expect(harness.exchanges.count == 1)
        #expect(server.text.hasPrefix(opening.place.isTunnel ? "PRI * HTTP/2.0" : "GET / HTTP/1.1"))
        guard opening.side == .server else { return }
        #expect(harness.exchanges.first?.outcome == .completed)
        #expect(harness.exchanges.first.map { harness.body(of: $0, .response) } == Array("ok".utf8))
    }

    private func walk(_ opening: Opening) throws {
        let walk = try OpeningWalk(.init(.tls13))
        let bytes = try opening.bytes()
        // On the wire, a count of 0 would look like the end of the room.
        var count = opening.unit == .wire ? 1 : 0
        while try cut(opening, bytes, after: count, walk) { count += 1 }
        #expect(count >= bytes.count && count > 30)
    }

    @Test(
        "HTTP/2 that a side leaves after any byte of its first frames ends",
        arguments: Place.allCases,
        [Side.client, .server]
    )
    func contents(place: Place, side: Side) throws {
        try walk(Opening(place: place, side: side, unit: .content))
    }

    @Test(
        "HTTP/2 that a side leaves after any byte of its first records ends",
        arguments: [(Place.tunnel, Side.client), (.tunnel, .server), (.port, .client)]
    )
    func records(place: Place, side: Side) throws {
        try walk(Opening(place: place, side: side, unit: .wire))
    }

    @Test(
        "a CONNECT in a stream that its client leaves after any byte ends",
        arguments: [Place.port, .plainPort]
    )
    func connects(place: Place) throws {
        try walk(Opening(place: place, side: .client, unit: .content, isConnect: true))
    }
}
