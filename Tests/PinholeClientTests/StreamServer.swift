import Foundation
import PinholeCrypto
import PinholeHTTP2
import PinholeModel
import PinholeRuntime
import PinholeTestKit

/// A server of HTTP/2 over TLS that does what a test says with each event of a connection.
///
/// It presents one identity to everybody.
final class StreamServer: Sendable {
    /// What a test does with an event of the connection with that number; `false` ends the connection.
    typealias Answer = @Sendable (HTTP2Event, HTTP2Session, Int) throws -> Bool

    private let listener: LoopbackListener
    private let accepted = Recorder<Int32>()

    /// Listens on a port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - identity: What it presents.
    ///   - applicationProtocol: What the first connection agrees to; later ones agree to h2.
    ///   - options: How it speaks TLS.
    ///   - greeting: What it says before it reads anything.
    ///   - answer: What it does with each event.
    /// - Throws: What keeps it from listening.
    init(
        _ identity: Identity,
        agreeing applicationProtocol: String? = "h2",
        options: ServerOptions = ServerOptions(),
        greeting: @escaping @Sendable (HTTP2Session, Int) -> Void = { _, _ in },
        _ answer: @escaping Answer
    ) throws {
        let context = try TLSContext(accepting: options)
        let listener = try LoopbackListener()
        self.listener = listener
        Thread.detachNewThread { [accepted] in
            while let socket = listener.accept() {
                let number = accepted.note(socket)
                Thread.detachNewThread {
                    let engine = try? TLSEngine(
                        accepting: context,
                        presenting: identity,
                        scope: "test",
                        applicationProtocol: number == 0 ? applicationProtocol : "h2"
                    )
                    if let engine {
                        Connection(socket, engine).serve(
                            greeting: { greeting($0, number) },
                            { try answer($0, $1, number) }
                        )
                    }
                    Glibc.close(socket)
                }
            }
        }
    }

    deinit { listener.stop() }

    var port: UInt16 { listener.port }

    /// How many connections came.
    var connectionCount: Int { accepted.values.count }
}

/// One connection, on a thread of its own.
private final class Connection {
    private let socket: Int32
    private let engine: TLSEngine
    private let session = HTTP2Session(.server)
    private let clock = LoopClock()
    private var inbox = ByteQueue()
    private var outbox = ByteQueue()
    private var plain = ByteQueue()

    init(_ socket: Int32, _ engine: TLSEngine) {
        self.socket = socket
        self.engine = engine
    }

    func serve(
        greeting: (HTTP2Session) -> Void,
        _ answer: (HTTP2Event, HTTP2Session) throws -> Bool
    ) {
        while true {
            switch engine.handshake(&inbox, &outbox) {
            case .failed: return flush()
            case .wantsInput:
                flush()
                guard receive() else { return }
                continue
            case .finished: flush()
            }
            break
        }
        greeting(session)
        speak()
        var goesOn = true
        repeat {
            guard case .wantsInput = engine.decrypt(&inbox, into: &plain, limit: .max, output: &outbox) else {
                goesOn = false
                break
            }
            session.receive(&plain, at: clock.now())
            while goesOn, let event = session.nextEvent() {
                goesOn = (try? answer(event, session)) ?? false
            }
            speak()
        } while goesOn && receive()
        engine.close(into: &outbox)
        flush()
        // Closing with bytes unread would be a reset, which may overtake what was said.
        shutdown(socket, Int32(SHUT_WR))
        while receive() {}
    }

    private func speak() {
        var frames = ByteQueue()
        session.write(into: &frames, limit: .max)
        try? engine.encrypt(&frames, count: frames.count, into: &outbox)
        flush()
    }

    private func flush() {
        let bytes = Array(outbox.slice())
        outbox.removeAll()
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        inbox.append(buffer[..<count])
        return true
    }
}
