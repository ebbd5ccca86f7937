import PinholeContent
import PinholeTestKit
import Testing

/// Bodies decoded piece by piece: the same content however they are cut, and what there is of broken ones.
@Suite("ContentStream")
struct ContentStreamTests {
    @Test(
        "decodes byte by byte, and keeps the bytes before a truncation",
        arguments: ContentDecoderTests.encoded
    )
    func pieces(coding: String, hex: String) {
        let body = ContentDecoderTests.bytes(hex)
        let stream = ContentStream(codings: [coding])
        for byte in body { stream.append([byte]) }
        stream.finish()
        #expect(stream.failure == nil)
        #expect(stream.content == ContentDecoderTests.plain)
        let cut = ContentStream(codings: [coding])
        cut.append(Array(body.dropLast()))
        #expect(cut.failure == nil)
        cut.finish()
        #expect(cut.failure != nil)
        #expect(ContentDecoderTests.plain.starts(with: cut.content))
    }

    @Test("keeps the bytes before the limit", arguments: ContentDecoderTests.encoded)
    func limit(coding: String, hex: String) {
        let stream = ContentStream(codings: [coding], limit: 100)
        stream.append(ContentDecoderTests.bytes(hex))
        #expect(stream.failure == .tooLong(limit: 100))
        #expect(stream.content == Array(ContentDecoderTests.plain.prefix(100)))
    }

    @Test("joins base64 that is padded in the middle, and refuses other text")
    func base64() {
        let stream = ContentStream(codings: [], isBase64: true)
        for piece in ["QQ", "==Qk", "M=R", "EVG"] { stream.append(Array(piece.utf8)) }
        stream.finish()
        #expect(stream.failure == nil)
        #expect(stream.content == Array("ABCDEF".utf8))
        let odd = ContentStream(codings: [], isBase64: true)
        odd.append(Array("QUJD!!!!".utf8))
        #expect(odd.failure == .malformed("base64"))
        let short = ContentStream(codings: [], isBase64: true)
        short.append(Array("QUJDQ".utf8))
        short.finish()
        #expect(short.content == Array("ABC".utf8) && short.failure == .malformed("base64"))
    }

    /// A frame of Zstandard (RFC 8878 §3.1.1) with these blocks, each with its kind and stated size.
    private static func zstandard(_ blocks: [(kind: Int, size: Int, content: [UInt8])]) -> [UInt8] {
        // No checksum, no size, a window of 128 KiB.
        var frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]
        for (place, block) in blocks.enumerated() {
            let header = block.size << 3 | block.kind << 1 | (place == blocks.count - 1 ? 1 : 0)
            frame += [UInt8(header & 0xff), UInt8(header >> 8 & 0xff), UInt8(header >> 16 & 0xff)]
            frame += block.content
        }
        return frame
    }

    @Test("a bomb of 1 GiB, also within another coding, ends at the limit")
    func bomb() {
        // 32 KiB that say “128 KiB of zero” 8192 times.
        let bomb = Self.zstandard(Array(repeating: (kind: 1, size: 128 << 10, content: [0]), count: 8192))
        let wrapped = Self.zstandard([(kind: 0, size: bomb.count, content: bomb)])
        for (body, codings) in [(bomb, ["zstd"]), (wrapped, ["zstd", "zstd"])] {
            let stream = ContentStream(codings: codings, limit: 1 << 20)
            stream.append(body)
            #expect(stream.content.count == 1 << 20)
            #expect(stream.failure == .tooLong(limit: 1 << 20))
        }
    }

    @Test("any bytes end in content or a failure", arguments: ["gzip", "deflate", "br", "zstd"])
    func anything(coding: String) {
        var random = SeededRandom(seed: 11)
        let good = ContentDecoderTests.encoded.first { $0.0 == coding }.map {
            ContentDecoderTests.bytes($0.1)
        }
        for round in 0..<300 {
            var bytes = round.isMultiple(of: 2) ? good ?? [] : []
            if bytes.isEmpty { bytes = (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) } }
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            let stream = ContentStream(codings: [coding], limit: 1 << 20)
            for byte in bytes { stream.append([byte]) }
            stream.finish()
            #expect(stream.content.count <= 1 << 20)
        }
    }
}
