import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

@Suite("WebSocketTap")
struct WebSocketTapTests {
    @Test("records messages with direction, kind, time and payload", arguments: Chunking.sizes)
    func messages(chunk: Int) throws {
        var run = TapRun()
        try run.feed(.text, Array("héllo".utf8), from: .client, chunk: chunk)
        try run.feed(.binary, [0, 1, 2, 255], from: .server, chunk: chunk)
        try run.feed(.text, [], from: .server, chunk: chunk)
        try run.feed(.ping, [9], from: .server, chunk: chunk)
        try run.feed(.pong, [9], from: .client, chunk: chunk)
        let bye = try WebSocketWriter.closePayload(1000, "bye")
        try run.feed(.close, bye, from: .client, chunk: chunk)
        try run.feed(.close, bye, from: .server, chunk: chunk)
        run.end()
        let messages = run.messages
        #expect(messages.map(\.kind) == [.text, .binary, .text, .ping, .pong, .close, .close])
        #expect(messages.map(\.sender) == [.client, .server, .server, .server, .client, .client, .server])
        #expect(messages.map(\.number) == [1, 2, 3, 4, 5, 6, 7])
        #expect(messages.map(\.inline) == [Array("héllo".utf8), [0, 1, 2, 255], [], [9], [9], bye, bye])
        #expect(messages.map(\.length) == [6, 4, 0, 1, 1, 5, 5])
        #expect(messages.allSatisfy { $0.isComplete && $0.notes.isEmpty && $0.started <= $0.ended })
        #expect(messages.last?.closeCode == 1000 && messages.last?.closeReason == "bye")
        #expect(messages[0].closeCode == nil && run.failure == nil && run.tap.closeCode == 1000)
    }

    @Test("an end without a close frame is abnormal, and a close frame without a code is not")
    func closeCode() throws {
        var cut = TapRun()
        try cut.feed(.text, [0x41], from: .server)
        #expect(cut.tap.closeCode == nil)
        cut.end()
        #expect(cut.tap.closeCode == 1006)
        var bare = TapRun()
        try bare.feed(.close, [], from: .client)
        bare.end()
        #expect(bare.tap.closeCode == 1005)
    }

    @Test("joins fragments, and keeps control frames between them apart", arguments: Chunking.sizes)
    func fragments(chunk: Int) throws {
        var run = TapRun()
        try run.feed(.text, [0xe2], isFinal: false, from: .client, chunk: chunk)
        try run.feed(.ping, Array("p".utf8), from: .client, chunk: chunk)
        try run.feed(.continuation, [0x82], isFinal: false, from: .client, chunk: chunk)
        try run.feed(.binary, [1], from: .server, chunk: chunk)
        try run.feed(.continuation, [0xac], from: .client, chunk: chunk)
        let messages = run.messages
        #expect(messages.map(\.kind) == [.text, .ping, .binary])
        #expect(messages[0].inline == [0xe2, 0x82, 0xac] && messages[0].frames == 3)
        #expect(messages[0].notes.isEmpty && messages[0].isComplete)
    }

    @Test("notes an uncompressed text that is not UTF-8, wherever it is cut")
    func invalidText() throws {
        var agreement = WebSocketAgreement()
        agreement.deflate = PermessageDeflate()
        var run = TapRun(agreement)
        try run.feed(.text, [0x41, 0xff], from: .client)
        try run.feed(.text, [0xe2, 0x82], from: .server, chunk: 1)
        try run.feed(.text, [0xff], isCompressed: true, from: .server)
        try run.feed(.binary, [0xff], from: .server)
        #expect(run.messages.map(\.notes) == [[.invalidText], [.invalidText], [], []])
        #expect(run.messages.map(\.isCompressed) == [false, false, true, false])
        #expect(run.failure == nil)
    }

    @Test("keeps a long message in parts, and no more than the limit", arguments: [true, false])
    func long(isMasked: Bool) throws {
        var limits = Limits()
        limits.bodyInline = 1000
        limits.messageCapture = 150_000
        var run = TapRun(WebSocketAgreement(), limits: limits)
        let side: Side = isMasked ? .client : .server
        let payload = (0..<200_001).map { UInt8($0 * 7 & 127) }
        try run.feed(.text, payload, from: side, chunk: 70_000)
        try run.feed(.text, [0x41], from: side)
        let message = try #require(run.messages.first)
        #expect(message.length == 200_001 && message.capturedLength == 150_000 && message.isTruncated)
        #expect(run.payload(of: message) == Array(payload.prefix(150_000)))
        #expect(run.parts.allSatisfy { $0 <= 32 << 10 } && message.inline.count <= 1000)
        #expect(run.messages.last?.inline == [0x41])
    }

    @Test("finds a fault in a text beyond the kept part")
    func lateFault() throws {
        var limits = Limits()
        limits.messageCapture = 3
        for keepsPayloads in [true, false] {
            var run = TapRun(WebSocketAgreement(), limits: limits, keepsPayloads: keepsPayloads)
            try run.feed(.text, [0x41, 0x41, 0x41, 0x41, 0xff], from: .client, chunk: 2)
            let message = try #require(run.messages.first)
            #expect(message.notes == [.invalidText] && message.length == 5)
            #expect(message.inline.count == (keepsPayloads ? 3 : 0))
        }
    }

    @Test(
        "after a violation keeps the bytes of its sender, and reads the other side",
        arguments: [1, 2, 100]
    )
    func violation(chunk: Int) throws {
        var run = TapRun()
        try run.feed(.text, [0x41], isFinal: false, from: .server, chunk: chunk)
        try run.feed(.binary, [1], from: .client, chunk: chunk)
        run.feed([0xf1, 0x80, 1, 2, 3, 4, 5], from: .client, chunk: chunk)
        #expect(run.failure?.code == .reservedBits)
        // Said before the end.
        #expect(run.messages.contains { $0.kind == .unread })
        run.feed([0x80, 0x01, 0x42], from: .server, chunk: chunk)
        run.feed([6], from: .client)
        run.end()
        let messages = run.messages
        #expect(messages.map(\.kind) == [.text, .binary, .unread])
        #expect(messages[0].isComplete && messages[0].inline == [0x41, 0x42])
        #expect(messages[2].sender == .client && messages[2].inline == [0xf1, 0x80, 1, 2, 3, 4, 5, 6])
        #expect(messages[2].detail?.contains("RFC 6455 §5.2") == true)
    }

    @Test("records truncated messages")
    func abrupt() throws {
        var run = TapRun()
        try run.feed(.binary, [1, 2], isFinal: false, from: .client)
        run.feed([0x00, 0x85, 0, 0], from: .client)
        run.feed([0x82, 0x05, 7, 8], from: .server)
        run.end()
        let messages = run.messages
        #expect(messages.map(\.kind) == [.binary, .binary, .unread])
        #expect(messages.map(\.isComplete) == [false, false, false])
        #expect(messages.map(\.inline) == [[1, 2], [7, 8], [0x00, 0x85, 0, 0]])
        #expect(messages[2].detail == "the connection ended inside of a frame")
    }

    @Test("records the same however the bytes are cut, and never more than came")
    func fuzz() throws {
        var random = SeededRandom(seed: 11)
        for round in 0..<300 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { index in
                index.isMultiple(of: 3)
                    ? UInt8.random(in: 0...255, using: &random)
                    : [0x81, 0x82, 0x01, 0x00, 0x80, 0x89, 0x02].randomElement(using: &random) ?? 0
            }
            var whole: [[UInt8]]?
            for chunk in [1, 2, 7, 100] {
                var run = TapRun()
                run.feed(bytes, from: .server, chunk: chunk)
                run.end()
                let payloads = run.messages.map { run.payload(of: $0) }
                #expect(payloads.reduce(0) { $0 + $1.count } <= bytes.count)
                try #require(payloads == whole ?? payloads, "round \(round), chunk \(chunk): \(bytes)")
                whole = payloads
            }
        }
    }
}
