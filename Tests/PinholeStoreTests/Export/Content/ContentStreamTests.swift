import PinholeStore
import PinholeTestKit
import Testing

/// Bodies decoded piece by piece: the same content however they are cut, and what there is of broken ones.
@Suite("ContentStream")
struct ContentStreamTests {
    @Test(
        "decodes byte by byte, and keeps what came before the end",
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

    @Test("keeps what was decoded before the limit", arguments: ContentDecoderTests.encoded)
    func limit(coding: String, hex: String) {
        let stream = ContentStream(codings: [coding], limit: 100)
        stream.append(ContentDecoderTests.bytes(hex))
        #expect(stream.failure == .tooLong(limit: 100))
        #expect(stream.content == Array(ContentDecoderTests.plain.prefix(100)))
    }

    @Test("joins base64 that is padded in the middle, and refuses what is none")
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

    @Test("a bomb of 1 GiB, also within another, ends at the limit")
    func bomb() async throws {
        // Each of gzip's members here is 16 MiB of zeros.
        let python = "import gzip,sys; b=gzip.compress(bytes(1<<24))*64; sys.stdout.buffer.write(b)"
        let result = try await ProcessRunner.run(Invocation("python3", ["-c", python]))
        try #require(result.isSuccess, "\(result)")
        for codings in [["gzip"], ["gzip", "identity"]] {
            let stream = ContentStream(codings: codings, limit: 1 << 20)
            stream.append(result.output)
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
