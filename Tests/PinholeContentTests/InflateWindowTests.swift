import PinholeContent
import PinholeTestKit
import Testing

@Suite("InflateWindow")
struct InflateWindowTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("reads messages with and without references to earlier ones")
    func contexts() throws {
        let window = InflateWindow()
        for (bytes, expected) in zip(DeflatedTexts.takeover, DeflatedTexts.texts) {
            #expect(text(try window.inflate(bytes, limit: 1000)) == expected)
        }
        window.reset()
        for (bytes, expected) in zip(DeflatedTexts.reset, DeflatedTexts.texts) {
            window.reset()
            #expect(text(try window.inflate(bytes, limit: 1000)) == expected)
        }
        window.reset()
        #expect(throws: WebSocketInflater.Failure.self) {
            try window.inflate(DeflatedTexts.takeover[1], limit: 1000)
        }
    }

    @Test(
        "reads the examples of RFC 7692",
        arguments: [
            // §7.2.3.1, the same in two blocks, §7.2.3.3 without compression, §7.2.3.4 with BFINAL, §7.2.3.5.
            [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00],
            [0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00],
            [0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00],
            [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00],
        ] as [[UInt8]]
    )
    func examples(bytes: [UInt8]) throws {
        let window = InflateWindow()
        #expect(text(try window.inflate(bytes, limit: 100)) == "Hello")
        // §7.2.3.2: the next one refers to it.
        #expect(text(try window.inflate([0xf2, 0x00, 0x11, 0x00, 0x00], limit: 100)) == "Hello")
        #expect(text(try window.inflate([0x00], limit: 100)) == "")
    }

    @Test("stops at the limit, and refuses other bytes than deflate")
    func hostile() {
        let window = InflateWindow()
        #expect(throws: WebSocketInflater.Failure.tooLong(limit: 10)) {
            try window.inflate(DeflatedTexts.reset[0], limit: 10)
        }
        for bytes: [UInt8] in [
            [0x06], [0x07, 0xff], [0x01, 0x01], [0xff, 0xff, 0xff], [0x04, 0xff, 0xff, 0xff, 0xff],
        ] {
            let window = InflateWindow()
            #expect(throws: WebSocketInflater.Failure.malformed) { try window.inflate(bytes, limit: 1000) }
        }
    }

    @Test("changed bytes end in a content or a reason", arguments: 0..<40)
    func mutated(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let window = InflateWindow()
        for message in DeflatedTexts.takeover {
            var bytes = message
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            let content = try? window.inflate(bytes, limit: 10_000)
            #expect(content?.count ?? 0 <= 10_000)
        }
    }
}
