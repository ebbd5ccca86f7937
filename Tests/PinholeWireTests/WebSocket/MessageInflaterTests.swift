import PinholeTestKit
import PinholeWire
import Testing

@Suite("MessageInflater")
struct MessageInflaterTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("reads messages that refer to earlier ones, and those that do not")
    func contexts() throws {
        var inflater = MessageInflater()
        for (bytes, expected) in zip(DeflatedTexts.takeover, DeflatedTexts.texts) {
            #expect(text(try inflater.inflate(bytes, limit: 1000)) == expected)
        }
        inflater.reset()
        for (bytes, expected) in zip(DeflatedTexts.reset, DeflatedTexts.texts) {
            inflater.reset()
            #expect(text(try inflater.inflate(bytes, limit: 1000)) == expected)
        }
        inflater.reset()
        #expect(throws: MessageInflater.Failure.self) {
            try inflater.inflate(DeflatedTexts.takeover[1], limit: 1000)
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
        var inflater = MessageInflater()
        #expect(text(try inflater.inflate(bytes, limit: 100)) == "Hello")
        // §7.2.3.2: the next one refers to it.
        #expect(text(try inflater.inflate([0xf2, 0x00, 0x11, 0x00, 0x00], limit: 100)) == "Hello")
        #expect(text(try inflater.inflate([0x00], limit: 100)) == "")
    }

    @Test("takes no more than the limit, and nothing that is no deflate")
    func hostile() {
        var inflater = MessageInflater()
        #expect(throws: MessageInflater.Failure.tooLong) {
            try inflater.inflate(DeflatedTexts.reset[0], limit: 10)
        }
        for bytes: [UInt8] in [
            [0x06], [0x07, 0xff], [0x01, 0x01], [0xff, 0xff, 0xff], [0x04, 0xff, 0xff, 0xff, 0xff],
        ] {
            var inflater = MessageInflater()
            #expect(throws: MessageInflater.Failure.malformed) { try inflater.inflate(bytes, limit: 1000) }
        }
    }

    @Test("changed bytes end in a content or a reason", arguments: 0..<40)
    func mutated(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var inflater = MessageInflater()
        for message in DeflatedTexts.takeover {
            var bytes = message
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            let content = try? inflater.inflate(bytes, limit: 10_000)
            #expect(content?.count ?? 0 <= 10_000)
        }
    }
}
