import PinholeCrypto
import PinholeModel
import PinholeProxy

/// A tunnel between a minimal client and a minimal server in memory.
final class MemoryTunnel {
    private let world: MemoryWorld
    private var stack: TunnelStack
    /// The conversation that takes over with the first request.
    private var conversation: Boxed<ConversationStack>?
    private let clientEngine: TLSEngine?
    private let serverEngine: TLSEngine?
    private var clientPlain = ByteQueue()
    private var serverPlain = ByteQueue()
    private var clientWire = ByteQueue()
    private var serverWire = ByteQueue()

    /// Opens a tunnel; a secure one is opened by CONNECT and both handshakes.
    init(_ world: MemoryWorld, isSecure: Bool) throws {
        self.world = world
        clientEngine = isSecure ? try world.client() : nil
        serverEngine = isSecure ? try world.server() : nil
        stack = try world.tunnel()
        stack.begin(at: world.now)
        guard isSecure else { return }
        let head = "CONNECT \(Messages.host):443 HTTP/1.1\r\nHost: \(Messages.host):443\r\n\r\n"
        stack.client.inbox.append(head)
        step()
        precondition(!stack.client.outbox.isEmpty, "the CONNECT was answered")
        stack.client.outbox.removeAll()
        var isDone = false
        while !isDone { isDone = shakeHands() }
    }

    /// Sends a request and receives the response.
    func exchange(_ request: [UInt8], _ response: [UInt8]) throws {
        clientPlain.append(request)
        try send(&clientPlain, by: clientEngine, over: &clientWire)
        guard let talk = conversation.take() else {
            clientWire.move(clientWire.count, to: &stack.client.inbox)
            step()
            return try answer(response)
        }
        clientWire.move(clientWire.count, to: &talk.value.client.inbox)
        conversation = consume talk
        stepConversation()
        try answer(response)
    }

    private func answer(_ response: [UInt8]) throws {
        guard let talk = conversation.take() else { preconditionFailure("the request was read") }
        guard let link = talk.value.links.values.first else { preconditionFailure("the request was sent on") }
        read(&link.peer.value.outbox, by: serverEngine, into: &serverPlain, back: &serverWire)
        precondition(!serverPlain.isEmpty, "the request arrived")
        serverPlain.removeAll()
        serverPlain.append(response)
        try send(&serverPlain, by: serverEngine, over: &serverWire)
        serverWire.move(serverWire.count, to: &link.peer.value.inbox)
        conversation = consume talk
        stepConversation()
        guard let talk = conversation.take() else { return }
        read(&talk.value.client.outbox, by: clientEngine, into: &clientPlain, back: &clientWire)
        precondition(clientPlain.count >= 1024, "the response arrived")
        clientPlain.removeAll()
        talk.value.records.removeAll(keepingCapacity: true)
        conversation = consume talk
    }

    private func stepConversation() {
        conversation?.value.advance(at: world.now)
        var index = 0
        while index < conversation?.value.driverCommands.count ?? 0 {
            let command = conversation?.value.driverCommands[index]
            if case .dial(let link, _)? = command {
                conversation?.value.dialed(link, DialedServer(address: "192.0.2.1:443"), at: world.now)
            }
            index += 1
        }
        conversation?.value.driverCommands.removeAll(keepingCapacity: true)
    }

    private func converse() {
        guard let opening = stack.takeSeed() else { return }
        let server = opening.hasServer ? stack.takeLink(.first) : nil
        let client = stack.takeClient()
        conversation = Boxed(world.conversation(opening, client: client, server: server))
        conversation?.value.begin(at: world.now)
        stepConversation()
    }

    private func send(_ plain: inout ByteQueue, by engine: TLSEngine?, over wire: inout ByteQueue) throws {
        guard let engine else { return plain.move(plain.count, to: &wire) }
        try engine.encrypt(&plain, count: plain.count, into: &wire)
    }

    private func read(
        _ arrived: inout ByteQueue,
        by engine: TLSEngine?,
        into plain: inout ByteQueue,
        back wire: inout ByteQueue
    ) {
        guard let engine else { return arrived.move(arrived.count, to: &plain) }
        _ = engine.decrypt(&arrived, into: &plain, limit: 1 << 16, output: &wire)
    }

    /// Continues both handshakes, and returns whether the client's, which ends last, is finished.
    private func shakeHands() -> Bool {
        let isDone = clientEngine?.handshake(&stack.client.outbox, &clientWire) == .finished
        clientWire.move(clientWire.count, to: &stack.client.inbox)
        step()
        if let link = stack.server {
            _ = serverEngine?.handshake(&link.peer.value.outbox, &serverWire)
            serverWire.move(serverWire.count, to: &link.peer.value.inbox)
        }
        step()
        return isDone
    }

    private func step() {
        stack.advance(at: world.now)
        var index = 0
        while index < stack.driverCommands.count {
            switch stack.driverCommands[index] {
            case .dial(let link, _): stack.dialed(link, DialedServer(address: "192.0.2.1:443"), at: world.now)
            case .mint(let request):
                do throws(CryptoFailure) {
                    stack.minted(try world.minter.mint(request, now: world.now), at: world.now)
                } catch {
                    preconditionFailure("no leaf was made: \(error)")
                }
            default: break
            }
            index += 1
        }
        stack.driverCommands.removeAll(keepingCapacity: true)
        converse()
    }
}
