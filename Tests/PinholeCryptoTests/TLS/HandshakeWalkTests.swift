import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@Suite("Handshakes that are cut at every byte")
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
}
