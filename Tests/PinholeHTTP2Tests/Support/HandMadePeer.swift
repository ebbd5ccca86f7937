import PinholeModel
import PinholeTestKit

@testable import PinholeHTTP2

/// One engine, and a peer that is made of hand-written frames.
final class HandMadePeer {
    let session: HTTP2Session
    private(set) var events: [HTTP2Event] = []
    private(set) var output: [UInt8] = []
    private let chunk: Int
    private var now = Timestamp(seconds: 1_000_000)

    init(
        _ role: HTTP2Session.Role,
        settings: HTTP2Settings? = nil,
        limits: HTTP2Limits = HTTP2Limits(),
        chunk: Int = 4096
    ) {
        session = HTTP2Session(role, settings: settings, limits: limits)
        self.chunk = chunk
    }

    /// Opens the connection as a peer of good manners does.
    func open(_ entries: KeyValuePairs<UInt16, UInt32> = [:]) {
        feed((session.role == .server ? Frame.preface : []) + Frame.settings(entries) + Frame.settingsACK)
    }

    /// Gives the engine bytes, and takes its events and its output.
    func feed(_ bytes: [UInt8]) {
        // The limits of time have no part in these tests.
        now = now + .seconds(60)
        for piece in Chunking.chunks(of: bytes, size: chunk) {
            var input = ByteQueue(piece)
            while !input.isEmpty {
                session.receive(&input, at: now)
                collect()
            }
        }
        collect()
    }

    /// Takes events and output.
    func collect() {
        while let event = session.nextEvent() { events.append(event) }
        var queue = ByteQueue()
        session.write(into: &queue, limit: 1 << 20)
        output += queue.prefix()
        while let event = session.nextEvent() { events.append(event) }
    }

    var frames: [SeenFrame] { SeenFrame.all(in: output) }

    /// The code of the GOAWAY that went out.
    var goAway: HTTP2ErrorCode? {
        frames.last { $0.type == 7 }.map { HTTP2ErrorCode(rawValue: $0.number(at: 4)) }
    }

    /// The codes of the RST_STREAM that went out, by stream.
    var resets: [UInt32: HTTP2ErrorCode] {
        Dictionary(
            frames.filter { $0.type == 3 }.map { ($0.stream, HTTP2ErrorCode(rawValue: $0.number(at: 0))) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Whether the engine still answers a PING.
    func isAlive() -> Bool {
        feed(Frame.ping("alive?!?"))
        return frames.contains { $0.type == 6 && $0.flags == 1 && $0.payload == Array("alive?!?".utf8) }
    }
}
