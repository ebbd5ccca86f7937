import PinholeContent
import Testing

@Suite("ContentDecoder")
struct ContentDecoderTests {
    static let plain = Array((String(repeating: "pinhole ", count: 40) + "end").utf8)

    /// Encodings of `plain`, made by the reference implementations.
    static let encoded = [
        ("gzip", "1f8b08000000000002032bc8cccbc8cf49552818a5c9a253f35200bf9b6c3443010000"),
        ("x-gzip", "1f8b08000000000002032bc8cccbc8cf49552818a5c9a253f35200bf9b6c3443010000"),
        ("deflate", "789c2bc8cccbc8cf49552818a5c9a253f3520058b47b90"),
        ("deflate", "2bc8cccbc8cf49552818a5c9a253f35200"),
        ("br", "1b4201f8c57378bdfe83a2642b4d760b07927fe6ab4023"),
        ("zstd", "28b52ffd6043009500005870696e686f6c6520656e64010035530b17"),
    ]

    static func bytes(_ hex: String) -> [UInt8] {
        var rest = hex[...]
        var bytes: [UInt8] = []
        while !rest.isEmpty {
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    @Test("decodes the output of the reference implementations", arguments: encoded)
    func decodes(coding: String, hex: String) throws {
        #expect(try ContentDecoder.decode(Self.bytes(hex), codings: [coding]) == Self.plain)
    }

    @Test("refuses a body that is cut off at any byte", arguments: encoded)
    func cutOff(coding: String, hex: String) {
        let body = Self.bytes(hex)
        for count in 1..<body.count {
            #expect(throws: ContentDecoder.Failure.self, "\(count) bytes of \(coding)") {
                try ContentDecoder.decode(Array(body.prefix(count)), codings: [coding])
            }
        }
    }

    @Test("stops at the limit", arguments: encoded)
    func limit(coding: String, hex: String) throws {
        #expect(throws: ContentDecoder.Failure.tooLong(limit: 322)) {
            try ContentDecoder.decode(Self.bytes(hex), codings: [coding], limit: 322)
        }
        #expect(try ContentDecoder.decode(Self.bytes(hex), codings: [coding], limit: 323).count == 323)
    }

    @Test("removes stacked codings from the last to the first, and joins gzip members")
    func stacked() throws {
        let members = Self.bytes(
            "1f8b08000000000002034b4c02006d48839e020000001f8b08000000000002034b4e0100da8fd64502000000"
        )
        #expect(try ContentDecoder.decode(members, codings: ["identity", "gzip"]) == Array("abcd".utf8))
        #expect(throws: ContentDecoder.Failure.malformed("br")) {
            try ContentDecoder.decode(members, codings: ["br", "gzip"])
        }
    }

    @Test("leaves an empty body and refuses an unknown coding")
    func odd() throws {
        #expect(try ContentDecoder.decode([], codings: ["gzip"]).isEmpty)
        #expect(throws: ContentDecoder.Failure.unknown("compress")) {
            try ContentDecoder.decode([1], codings: ["compress"])
        }
        #expect(throws: ContentDecoder.Failure.self) {
            try ContentDecoder.decode([1], codings: Array(repeating: "gzip", count: 100))
        }
    }
}
