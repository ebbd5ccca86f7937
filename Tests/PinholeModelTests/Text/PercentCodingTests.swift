import Testing

@testable import PinholeModel

@Suite("Percent coding")
struct PercentCodingTests {
    @Test(
        "encodes all bytes but unreserved ones",
        arguments: [
            ("aZ09-._~", "aZ09-._~"), ("a b", "a%20b"), ("%", "%25"), ("ü\n/", "%C3%BC%0A%2F"), ("", ""),
        ]
    )
    func encodes(text: String, encoded: String) {
        #expect(PercentCoding.encode(text.utf8) == encoded)
        #expect(PercentCoding.text(of: encoded.utf8) == text)
    }

    @Test("leaves characters that a URL may contain, and plain bytes beyond ASCII")
    func plain() {
        let url = "https://a.test/b?c=d&e=%2F#[f]"
        #expect(PercentCoding.encode("\(url) ü".utf8, isPlain: PercentCoding.isOfURL) == "\(url)%20%C3%BC")
        #expect(PercentCoding.encode("ü ".utf8) { $0 > 0x20 } == "ü%20")
    }

    @Test(
        "reads a percent sign without two digits as itself, or refuses it",
        arguments: ["%", "a%", "%1", "%g1", "%1g", "%%41", "%-1", "%+1", "% 1"]
    )
    func malformed(text: String) {
        let decoded = String(decoding: PercentCoding.decode(text.utf8), as: UTF8.self)
        #expect(decoded == (text == "%%41" ? "%A" : text))
        #expect(PercentCoding.text(of: text.utf8) == nil)
    }

    @Test("reads a plus sign as a space only in forms, and refuses bytes that are no text")
    func decodes() {
        #expect(PercentCoding.decode("a+%2b%2B".utf8) == Array("a+++".utf8))
        #expect(PercentCoding.decode("a+%2b".utf8, plusIsSpace: true) == Array("a +".utf8))
        #expect(PercentCoding.decode("%ff".utf8) == [0xff])
        #expect(PercentCoding.text(of: "%ff".utf8) == nil)
    }
}
