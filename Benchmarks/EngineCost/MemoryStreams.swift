import PinholeHTTP2
import PinholeModel
import PinholeProxy

/// A tunnel with HTTP/2 on both sides, without TLS, between a minimal client and a minimal server in memory.
final class MemoryStreams {
    private let world: MemoryWorld
    private var stack: ConversationStack
    private let client = HTTP2Session(.client)
    private let server = HTTP2Session(.server)
    private var wire = ByteQueue()
    private var streams = 0

    /// Opens a tunnel by CONNECT, in which the client speaks HTTP/2.
    init(_ world: MemoryWorld) throws {
        self.world = world
        var tunnel = try world.tunnel()
        tunnel.begin(at: world.now)
        tunnel.client.inbox.append(
            "CONNECT \(Messages.host):80 HTTP/1.1\r\nHost: \(Messages.host):80\r\n\r\n"
        )
        var isConnected = false
        var found: OpeningResult?
        while found == nil {
            tunnel.advance(at: world.now)
            let commands = tunnel.driverCommands
            tunnel.driverCommands = []
            for case .dial in commands {
                tunnel.dialed(.first, DialedServer(address: "192.0.2.1:80"), at: world.now)
            }
            found = tunnel.takeSeed()
            guard !isConnected, !tunnel.client.outbox.isEmpty else { continue }
            isConnected = true
            tunnel.client.outbox.removeAll()
            client.write(into: &tunnel.client.inbox, limit: 1 << 16)
        }
        guard let seed = found else { preconditionFailure("HTTP/2 was recognised") }
        stack = ConversationStack(
            seed,
            client: tunnel.takeClient(),
            server: seed.hasServer ? tunnel.takeLink(.first) : nil,
            environment: world.environment,
            sink: NumberingSink(),
            keepsBodies: true
        )
        stack.begin(at: world.now)
    }

    /// Sends a request on a new stream and receives the response.
    func exchange(_ request: HeaderFields, _ response: HeaderFields, _ body: [UInt8]) throws {
        let before = streams
        _ = try client.request(request, endsStream: true)
        while streams == before { try step(response, body) }
        stack.records.removeAll(keepingCapacity: true)
    }

    private func step(_ response: HeaderFields, _ body: [UInt8]) throws {
        client.write(into: &stack.client.inbox, limit: 1 << 16)
        perform()
        for link in stack.links.values { try answer(link, response, body) }
        perform()
        client.receive(&stack.client.outbox, at: world.now)
        while let event = client.nextEvent() {
            switch event {
            case .data(let stream, let count):
                client.take(upTo: count, from: stream, into: &wire)
                client.release(count, on: stream)
                wire.removeAll()
            case .ended: streams += 1
            default: break
            }
        }
    }

    private func answer(_ link: LinkStack, _ response: HeaderFields, _ body: [UInt8]) throws {
        server.receive(&link.peer.value.outbox, at: world.now)
        while let event = server.nextEvent() {
            guard case .request(let stream, _, _) = event else { continue }
            try server.respond(response, on: stream, endsStream: false)
            var queue = ByteQueue(body)
            server.send(body.count, from: &queue, on: stream)
            try server.finish(stream)
        }
        server.write(into: &link.peer.value.inbox, limit: 1 << 16)
    }

    private func perform() {
        stack.advance(at: world.now)
        let commands = stack.driverCommands
        stack.driverCommands.removeAll(keepingCapacity: true)
        for case .dial(let link, _) in commands {
            stack.dialed(link, DialedServer(address: "192.0.2.1:80"), at: world.now)
        }
    }
}
