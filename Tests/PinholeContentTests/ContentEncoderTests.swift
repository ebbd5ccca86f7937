import PinholeTestKit
import Testing

@testable import PinholeContent

@Suite("ContentEncoder")
struct ContentEncoderTests {
    @Test(
        "the decoders reverse the encoders",
        arguments: ["gzip", "x-gzip", "deflate", "br", "zstd"],
        [1, 2, 65_534, 65_535, 65_536, 200_000]
    )
    func decoded(_ coding: String, _ count: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        let content = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let body = try #require(ContentEncoder.encode(content, codings: [coding]))
        #expect(try ContentDecoder.decode(body, codings: [coding]) == content)
    }

    @Test("a body beyond the largest window of a coding", arguments: ["gzip", "deflate", "br", "zstd"])
    func beyondWindow(_ coding: String) throws {
        let content = [UInt8](repeating: 0x61, count: 9 << 20)
        let body = try #require(ContentEncoder.encode(content, codings: [coding]))
        #expect(try ContentDecoder.decode(body, codings: [coding]) == content)
    }

    @Test("several codings are put on in their order, an unknown one is refused")
    func several() throws {
        let content = Array("hello".utf8)
        let body = try #require(ContentEncoder.encode(content, codings: ["br", "gzip"]))
        #expect(try ContentDecoder.decode(body, codings: ["br", "gzip"]) == content)
        #expect(ContentEncoder.encode(content, codings: ["lzma"]) == nil)
        #expect(ContentEncoder.encode([], codings: ["gzip"]) == [])
        #expect(ContentEncoder.encode(content, codings: Array(repeating: "gzip", count: 5)) == nil)
    }
}
