import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

@Suite("WebSocketGate")
struct WebSocketGateTests {
    /// A gate with its queues.
    private struct Run {
        var gate: WebSocketGate
        var input = ByteQueue()
        var output = ByteQueue()
        var events: [FlowEvent] = []
        let now = Timestamp(microseconds: 0)
        var asked: [WebSocketGate.Question] = []

        init(_ agreement: WebSocketAgreement = WebSocketAgreement()) {
            let tap = WebSocketTap(
                ExchangeID(rawValue: 1),
                agreement: agreement,
                limits: Limits(),
                keepsPayloads: true
            )
            gate = WebSocketGate(recordingBy: tap, agreement: agreement)
        }

        mutating func pass(
            _ bytes: [UInt8],
            from side: Side = .server,
            chunk: Int = .max,
            dropping kinds: Set<WebSocketMessage.Kind> = []
        ) {
            for piece in Chunking.chunks(of: bytes, size: min(chunk, max(1, bytes.count))) {
                input.append(piece)
                var asked = asked
                gate.pass(&input, to: &output, from: side, at: now, into: &events) { question in
                    asked.append(question)
                    return kinds.contains(question.kind) ? .drop : .forward
                }
                self.asked = asked
            }
        }

        mutating func inject(
            _ kind: WebSocketMessage.Kind,
            _ payload: [UInt8],
            from side: Side = .server
        ) throws(WebSocketFailure) {
            try gate.inject(
                kind,
                payload,
                to: &output,
                from: side,
                mask: side == .client ? TapRun.key : nil,
                at: now,
                into: &events
            )
        }

        mutating func sent() -> [UInt8] {
            let bytes = output.prefix()
            output.removeAll()
            return bytes
        }

        var messages: [WebSocketMessage] {
            events.compactMap { event in
                guard case .webSocketMessage(let message) = event else { return nil }
                return message
            }
        }
    }

    private let text: [UInt8] = [0x81, 0x01, 0x41]
    private let ping: [UInt8] = [0x89, 0x01, 0x50]
    private let begin: [UInt8] = [0x02, 0x02, 0x01, 0x02]
    private let middle: [UInt8] = [0x00, 0x01, 0x03]
    private let finish: [UInt8] = [0x80, 0x01, 0x04]

    @Test("passes everything on unchanged", arguments: Chunking.sizes)
    func unchanged(chunk: Int) {
        let bytes = text + begin + ping + middle + finish + [0x88, 0x02, 0x03, 0xe8]
        var run = Run()
        run.pass(bytes, chunk: chunk)
        #expect(run.sent() == bytes && run.input.isEmpty)
        #expect(run.asked.map(\.kind) == [.text, .binary, .ping, .close])
        #expect(run.messages.map(\.kind) == [.text, .ping, .binary, .close])
    }

    @Test(
        "drops a message with all of its frames, and what stands between them stays",
        arguments: [1, 3, 99]
    )
    func drop(chunk: Int) {
        var run = Run()
        run.pass(text + begin + ping + middle + finish + text, chunk: chunk, dropping: [.binary])
        #expect(run.sent() == text + ping + text)
        let dropped = run.messages.filter { $0.notes == [.dropped] }
        #expect(dropped.map(\.inline) == [[1, 2, 3, 4]])
        run.pass(begin + ping + finish + [0x81, 0x00], chunk: chunk, dropping: [.ping, .text])
        #expect(run.sent() == begin + finish)
        #expect(run.messages.suffix(3).map(\.notes) == [[.dropped], [], [.dropped]])
    }

    @Test("does not ask about a message that later ones may refer to")
    func context() {
        var agreement = WebSocketAgreement()
        agreement.deflate = PermessageDeflate()
        agreement.deflate?.clientNoContextTakeover = true
        var run = Run(agreement)
        run.pass([0xc1, 0x01, 0x00], dropping: [.text])
        #expect(run.sent() == [0xc1, 0x01, 0x00] && run.asked.isEmpty)
        run.pass(text, dropping: [.text])
        #expect(run.sent() == [])
        run.pass([0xc1, 0x81, 1, 2, 3, 4, 5], from: .client, dropping: [.text])
        #expect(run.sent() == [] && run.asked.last?.isCompressed == true)
        agreement.unknown = ["x-own"]
        #expect(!Run(agreement).gate.canDrop(.init(kind: .text, sender: .client, isCompressed: false)))
    }

    @Test("sends a frame of its own where it may stand")
    func injection() throws {
        var run = Run()
        try run.inject(.text, [0x42])
        #expect(run.sent() == [0x81, 0x01, 0x42])
        // Within a frame everything waits, within a message only messages do.
        run.pass(Array(begin.prefix(3)))
        try run.inject(.text, [0x43])
        try run.inject(.ping, [0x44])
        #expect(run.sent() == Array(begin.prefix(3)))
        run.pass([begin[3]])
        #expect(run.sent() == [begin[3], 0x89, 0x01, 0x44])
        try run.inject(.pong, [0x45])
        #expect(run.sent() == [0x8a, 0x01, 0x45])
        run.pass(middle)
        #expect(run.sent() == middle)
        run.pass(finish)
        #expect(run.sent() == finish + [0x81, 0x01, 0x43])
        #expect(run.messages.filter { $0.notes == [.injected] }.count == 4)
        try run.inject(.binary, [1], from: .client)
        #expect(run.sent() == [0x82, 0x81, 0x37, 0xfa, 0x21, 0x3d, 0x36])
    }

    @Test("sends a message between the frames of one that is dropped")
    func injectionIntoDropped() throws {
        var run = Run()
        run.pass(begin, dropping: [.binary])
        try run.inject(.text, [0x42])
        #expect(run.sent() == [0x81, 0x01, 0x42])
        run.pass(finish)
        #expect(run.sent() == [])
    }

    @Test("sends nothing after a close, its own or the peer's")
    func closing() throws {
        var run = Run()
        run.pass([0x88, 0x00])
        #expect(throws: WebSocketFailure.self) { try run.inject(.text, []) }
        var own = Run()
        own.pass(begin)
        try own.inject(.close, try WebSocketWriter.closePayload(1001, ""))
        #expect(own.sent() == begin + [0x88, 0x02, 0x03, 0xe9])
        own.pass(finish + text)
        #expect(own.sent() == [])
        #expect(throws: WebSocketFailure.self) { try own.inject(.unread, []) }
    }

    @Test("passes everything on after a violation", arguments: [1, 99])
    func violation(chunk: Int) {
        var run = Run()
        let bytes: [UInt8] = text + [0xf3, 1, 2, 3] + text
        run.pass(bytes, chunk: chunk, dropping: [.ping])
        #expect(run.sent() == bytes)
        #expect(throws: WebSocketFailure.self) { try run.inject(.text, []) }
        run.gate.end(into: &run.events)
        #expect(run.messages.last?.kind == .unread)
    }
}
