import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeRuntime

/// A connection inside TLS, with a client engine at the other end and no socket between them.
@Suite("SecuredConnection")
struct SecuredConnectionTests {
    /// Answers each piece with the pieces so far, or with a text of its own.
    private struct Inside: ServedConnection, ~Copyable {
        var inbox = ByteQueue()
        var outbox = ByteQueue()
        var ending: ConnectionEnding?
        var wake: Timestamp?
        var wantsRead = true
        var hasMoreToSay = false
        /// Whether received bytes go back to the client.
        var echoes = false
        var received = 0
        var hasEnded = false
        var isAbandoned = false

        mutating func advance(at now: Timestamp) {
            guard wantsRead else { return }
            received += inbox.count
            if echoes { inbox.move(inbox.count, to: &outbox) } else { inbox.removeAll() }
        }

        var standing: Admission.Standing { .busy(nil) }

        mutating func turnAway(at now: Timestamp) {}

        mutating func ended(at now: Timestamp) { hasEnded = true }

        mutating func abandoned() { isAbandoned = true }
    }

    private struct Pair: ~Copyable {
        var server: SecuredConnection<Inside>
        let client: TLSEngine
        /// The bytes that the client has received and not decrypted.
        var received = ByteQueue()
        let now: Timestamp

        init(versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, echoes: Bool = false) throws {
            let world = try TestWorld()
            let engine = try world.server(for: "a.test", versions: versions)
            let client = try world.client(
                for: "a.test",
                versions: versions,
                trusting: [world.serverAuthority.root]
            )
            // Nothing is thrown after this line: a type without copies is initialised wholly or not at all.
            var inside = Inside()
            inside.echoes = echoes
            server = SecuredConnection(inside, engine: engine)
            self.client = client
            now = world.now
        }

        /// Carries the bytes of the server to the client.
        mutating func deliver() { server.outbox.move(server.outbox.count, to: &received) }

        mutating func shakeHands() -> TLSEngine.HandshakeStep {
            var step = TLSEngine.HandshakeStep.wantsInput
            for _ in 0..<10 where step == .wantsInput {
                step = client.handshake(&received, &server.inbox)
                server.advance(at: now)
                deliver()
            }
            return step
        }

        /// Sends a text in TLS, without a turn of the server.
        mutating func send(_ bytes: [UInt8]) throws {
            var plain = ByteQueue(bytes)
            try client.encrypt(&plain, count: plain.count, into: &server.inbox)
        }

        /// Decrypts all bytes that the client has received.
        mutating func read() -> (plain: [UInt8], step: TLSEngine.ReadStep) {
            deliver()
            var plain = ByteQueue()
            let step = client.decrypt(&received, into: &plain, limit: .max, output: &server.inbox)
            return (plain.prefix(), step)
        }
    }

    @Test("a megabyte passes in each direction", arguments: TLSVersion.allCases.filter { $0 >= .tls12 })
    func large(version: TLSVersion) throws {
        var pair = try Pair(versions: version...version, echoes: true)
        let step = pair.shakeHands()
        #expect(step == .finished)
        let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try pair.send(bytes)
        var back: [UInt8] = []
        for _ in 0..<100 where back.count < bytes.count {
            pair.server.advance(at: pair.now)
            back += pair.read().plain
        }
        #expect(back == bytes)
        #expect(pair.server.inside.received == bytes.count && pair.server.ending == nil)
    }

    @Test("a peer that does not read holds the bytes of the connection inside back")
    func stalled() throws {
        var pair = try Pair()
        _ = pair.shakeHands()
        let piece = [UInt8](repeating: 7, count: Limits().outputHighWater)
        for _ in 0..<10 {
            pair.server.inside.outbox.append(piece)
            pair.server.advance(at: pair.now)
        }
        #expect(pair.server.outbox.count < 2 * piece.count)
        #expect(pair.server.inside.outbox.count == 9 * piece.count && pair.server.hasMoreToSay)
        var plain = 0
        for _ in 0..<10 {
            plain += pair.read().plain.count
            pair.server.advance(at: pair.now)
        }
        #expect(plain == 10 * piece.count && pair.server.inside.outbox.isEmpty)
    }

    @Test("an ended connection hands all its bytes to the socket, whose end has the timeout")
    func endsWhileStalled() throws {
        var pair = try Pair()
        _ = pair.shakeHands()
        let piece = [UInt8](repeating: 7, count: Limits().outputHighWater)
        for _ in 0..<3 {
            pair.server.inside.outbox.append(piece)
            pair.server.advance(at: pair.now)
        }
        #expect(!pair.server.inside.outbox.isEmpty && pair.server.ending == nil)
        pair.server.inside.ending = .close
        pair.server.advance(at: pair.now)
        #expect(pair.server.inside.outbox.isEmpty && pair.server.ending == .close)
        let (plain, step) = pair.read()
        #expect(plain.count == 3 * piece.count && step == .closed)
    }

    @Test("a connection that is busy reads no more than a bounded count of bytes")
    func busy() throws {
        var pair = try Pair()
        _ = pair.shakeHands()
        pair.server.inside.wantsRead = false
        try pair.send([UInt8](repeating: 1, count: 2 * Limits().readSize))
        pair.server.advance(at: pair.now)
        #expect(!pair.server.wantsRead && pair.server.inside.inbox.isEmpty)
        pair.server.inside.wantsRead = true
        pair.server.advance(at: pair.now)
        #expect(pair.server.inside.received == 2 * Limits().readSize && pair.server.wantsRead)
    }

    @Test("close_notify ends the bytes for the connection inside, once")
    func closeNotify() throws {
        var pair = try Pair()
        _ = pair.shakeHands()
        try pair.send([1, 2, 3])
        pair.client.close(into: &pair.server.inbox)
        pair.server.advance(at: pair.now)
        #expect(pair.server.inside.received == 3 && pair.server.inside.hasEnded)
        pair.server.inside.hasEnded = false
        pair.server.ended(at: pair.now)
        let hasEndedAgain = pair.server.inside.hasEnded
        #expect(!hasEndedAgain)
        // The other direction is still open.
        pair.server.inside.outbox.append([4, 5])
        pair.server.inside.ending = .close
        pair.server.advance(at: pair.now)
        let (plain, step) = pair.read()
        #expect(plain == [4, 5] && step == .closed && pair.server.ending == .close)
    }

    @Test("an abrupt end is the end of the bytes", arguments: [true, false])
    func abrupt(afterHandshake: Bool) throws {
        var pair = try Pair()
        if afterHandshake { _ = pair.shakeHands() }
        pair.server.ended(at: pair.now)
        #expect(pair.server.inside.hasEnded || pair.server.inside.isAbandoned)
        #expect(pair.server.inside.received == 0)
    }

    @Test("other bytes than a ClientHello end the connection, and reach nothing inside")
    func garbage() throws {
        let zeros = String(repeating: "\0", count: 5000)
        for text in ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\0\u{4}hihi", zeros] {
            var pair = try Pair()
            pair.server.inbox.append(text)
            pair.server.advance(at: pair.now)
            #expect(pair.server.ending == .close && pair.server.wake == nil)
            #expect(pair.server.inside.received == 0 && pair.server.inside.isAbandoned)
            // Later bytes are dropped.
            pair.server.inbox.append("more")
            pair.server.advance(at: pair.now)
            #expect(pair.server.inbox.isEmpty)
        }
    }

    @Test("a changed record ends the connection with an alert")
    func changed() throws {
        var pair = try Pair()
        _ = pair.shakeHands()
        pair.server.inbox.append([0x17, 3, 3, 0, 20] + [UInt8](repeating: 9, count: 20))
        pair.server.advance(at: pair.now)
        #expect(pair.server.ending == .close && pair.server.inside.isAbandoned && !pair.server.outbox.isEmpty)
        #expect(pair.server.inside.received == 0)
    }

    @Test("a client of TLS 1.0 is refused with an alert")
    func old() throws {
        var pair = try Pair(versions: .tls12 ... .tls13)
        // A ClientHello of version 3.1 with one suite (RFC 2246 §7.4.1.2).
        let hello: [UInt8] =
            [3, 1] + [UInt8](repeating: 5, count: 32) + [0, 0, 2, 0, 0x2f, 1, 0]
        let message = [1, 0, 0, UInt8(hello.count)] + hello
        pair.server.inbox.append([0x16, 3, 1, 0, UInt8(message.count)] + message)
        pair.server.advance(at: pair.now)
        #expect(pair.server.ending == .close)
        #expect(pair.server.outbox.prefix(7).first == 0x15 && pair.server.outbox.prefix(7).last == 70)
    }

    @Test("without an engine, bytes pass as they are")
    func plainPasses() throws {
        var connection = SecuredConnection(Inside(), engine: nil)
        connection.inside.echoes = true
        connection.inbox.append([1, 2, 3])
        connection.advance(at: Timestamp(seconds: 0))
        #expect(connection.outbox.prefix() == [1, 2, 3])
    }
}
