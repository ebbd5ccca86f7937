import PinholeTestKit
import Testing

@testable import PinholeCommand

@Suite("Keys of a terminal")
struct KeyDecoderTests {
    private static let samples: [(bytes: String, keys: [Key])] = [
        ("q", [.character("q")]), ("é你", [.character("é"), .character("你")]),
        ("\u{1b}[A\u{1b}[B\u{1b}[C\u{1b}[D", [.up, .down, .right, .left]),
        ("\u{1b}OA\u{1b}OB\u{1b}OH\u{1b}OF", [.up, .down, .home, .end]),
        ("\u{1b}[5~\u{1b}[6~\u{1b}[1~\u{1b}[4~\u{1b}[3~", [.pageUp, .pageDown, .home, .end, .delete]),
        ("\u{1b}[1;5A", [.up]), ("\u{1b}[Z\t\r\n", [.backTab, .tab, .enter, .enter]),
        ("\u{3}\u{1a}\u{7f}\u{8}", [.control("c"), .control("z"), .backspace, .backspace]),
        ("\u{1b}[200~q\nx\u{1b}[201~k", [.pasted("q\nx"), .character("k")]),
        ("\u{1b}[99~\u{1b}[?1;2c", []),
    ]

    @Test("sequences are keys, in pieces of any size", arguments: samples.indices)
    func sequences(_ index: Int) {
        let (bytes, keys) = Self.samples[index]
        for size in 1...max(1, bytes.utf8.count) {
            var decoder = KeyDecoder()
            var found: [Key] = []
            var rest = Array(bytes.utf8)[...]
            while !rest.isEmpty {
                found += decoder.take(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(found == keys, "in pieces of \(size)")
            #expect(!decoder.isWaiting)
        }
    }

    @Test("a lone escape byte is Escape after a moment")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.take([0x1b]) == [])
        #expect(decoder.isWaiting)
        #expect(decoder.flush() == [.escape])
        #expect(decoder.take([0x1b, 0x71]) == [.escape, .character("q")])
    }

    @Test("bytes that are no UTF-8 are no keys, and a sequence without end is dropped")
    func malformed() {
        var decoder = KeyDecoder()
        #expect(decoder.take([0xff, 0xff, 0xff, 0xff, 0x61]).last == .character("a"))
        var other = KeyDecoder()
        _ = other.take([0x1b, 0x5b] + Array(repeating: 0x30, count: 100))
        #expect(other.take([0x71]) == [.character("q")])
    }

    @Test("random bytes never stop the decoder", arguments: 0..<50)
    func random(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var decoder = KeyDecoder()
        for _ in 0..<20 {
            _ = decoder.take((0..<40).map { _ in UInt8.random(in: .min ... .max, using: &random) })
            _ = decoder.flush()
        }
    }
}
