import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@Suite("Handshakes that are cut")
struct HandshakeWalkTests {
    private static let shared = Result { try HandshakeWalk.all(in: TestWorld()) }
    private let walks: [HandshakeWalk]

    init() throws { walks = try Self.shared.get() }

    @Test("every question is answered after every byte, by nothing or as at the end")
    func questions() throws {
        for walk in walks {
            let session = try walk.session()
            let whole = try walk.pair(resuming: session)
            whole.shake()
            #expect(whole.isDone, "\(walk)")
            let client = HandshakeWalk.Answers(whole.client)
            let server = HandshakeWalk.Answers(whole.server)
            #expect(client.group != nil && client.group == server.group && client.cipher == server.cipher)

            let pair = try walk.pair(resuming: session)
            var steps = 0
            pair.shake(chunk: 1) {
                steps += 1
                #expect(HandshakeWalk.Answers(pair.client).wrong(beside: client) == [], "\(walk)")
                #expect(HandshakeWalk.Answers(pair.server).wrong(beside: server) == [], "\(walk)")
            }
            #expect(pair.isDone && steps > 500, "\(walk): \(pair.clientStep), \(pair.serverStep), \(steps)")
        }
    }

    @Test(
        "a stream that ends anywhere in a record ends the handshake, and every question is still answered",
        arguments: HandshakeWalk.Receiver.allCases
    )
    func cuts(receiver: HandshakeWalk.Receiver) async throws {
        for walk in walks {
            let session = try walk.session()
            let whole = try walk.pair(resuming: session)
            whole.shake()
            let answers = HandshakeWalk.Answers(receiver == .client ? whole.client : whole.server)
            var boundaries: Set<Int> = [0]
            for count in 0... {
                // OpenSSL reads the content of a record whole: after the heads of the record and its message, and before
                // its last bytes, every sixteenth byte stands for its neighbours.
                let begin = boundaries.filter { $0 <= count }.max() ?? 0
                let next = boundaries.filter { $0 > count }.min() ?? 0
                if count - begin >= 16, next - count > 2, !count.isMultiple(of: 16) { continue }
                // Other tests share the threads, and their clients give up after 20 seconds without one.
                await Task.yield()
                // Inside a record, bytes that follow are content of the record, whatever they say. So one ending a byte
                // is enough there; between two records, each ending is another one.
                var endings = [HandshakeWalk.Ending.allCases[count % HandshakeWalk.Ending.allCases.count]]
                if boundaries.contains(count) { endings = HandshakeWalk.Ending.allCases }
                var isWhole = false
                for ending in endings {
                    let pair = try walk.pair(resuming: session)
                    switch receiver {
                    case .client: pair.shake(toClient: count)
                    case .server: pair.shake(toServer: count)
                    }
                    if let next = pair.nextBoundary(of: receiver) { boundaries.insert(next) }
                    isWhole = (receiver == .client ? pair.clientStep : pair.serverStep) == .finished
                    let place = "\(walk), byte \(count), \(ending)"
                    #expect(end(pair, receiver, by: ending), "\(place)")
                    let engine = receiver == .client ? pair.client : pair.server
                    #expect(HandshakeWalk.Answers(engine).wrong(beside: answers) == [], "\(place)")
                }
                if isWhole { break }
            }
            #expect(boundaries.count > 2, "\(walk)")
        }
    }

    @Test(
        "a stream that ends after any byte of a post-quantum ClientHello ends the handshake",
        arguments: [false, true]
    )
    func postQuantumHellos(sharesX25519: Bool) throws {
        let world = try TestWorld()
        let context = try TLSContext(acceptingVersions: .tls12 ... .tls13)
        let identity = try world.serverMinter.mint(
            LeafRequest(names: [.name("www.example.com")]),
            now: world.now
        )
        let hello = CraftedClientHello(postQuantumFor: "www.example.com", sharesX25519: sharesX25519).record
        for count in 0...hello.count {
            let engine = try TLSEngine(
                accepting: context,
                presenting: identity,
                scope: "a",
                applicationProtocol: "http/1.1"
            )
            var input = ByteQueue(hello.prefix(count))
            var output = ByteQueue()
            #expect(engine.handshake(&input, &output) == .wantsInput)
            #expect(output.isEmpty == (count < hello.count))
            let ending = HandshakeWalk.Ending.allCases[count % HandshakeWalk.Ending.allCases.count]
            input.append(ending.bytes)
            engine.receiveEnd()
            var isBroken = false
            if case .failed = engine.handshake(&input, &output) { isBroken = true }
            #expect(isBroken, "byte \(count), \(ending)")
            let answers = HandshakeWalk.Answers(engine)
            #expect([nil, "TLSv1.3"].contains(answers.version))
            #expect([nil, "x25519", "X25519MLKEM768"].contains(answers.group))
        }
    }

    /// Ends the stream toward `receiver`; returns whether its engine says that the connection is broken.
    private func end(
        _ pair: TLSPair,
        _ receiver: HandshakeWalk.Receiver,
        by ending: HandshakeWalk.Ending
    ) -> Bool {
        switch receiver {
        case .client:
            pair.toClient.append(ending.bytes)
            pair.stepClient()
            pair.client.receiveEnd()
            pair.stepClient()
            if pair.clientStep == .finished, case .failed = pair.readByClient().step { return true }
            return pair.clientFailure != nil
        case .server:
            pair.toServer.append(ending.bytes)
            pair.stepServer()
            pair.server.receiveEnd()
            pair.stepServer()
            if pair.serverStep == .finished, case .failed = pair.readByServer().step { return true }
            return pair.serverFailure != nil
        }
    }
}
