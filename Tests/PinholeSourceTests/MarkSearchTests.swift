import PinholeSource
import Testing

@Suite("MarkSearch")
struct MarkSearchTests {
    @Test("finds each of its texts, at any place")
    func finds() {
        let search = MarkSearch(["abc", "abd", "xy"])
        for text in ["abc", "ababd", "..xy", "axyz"] { #expect(search.isIn(Array(text.utf8)), "\(text)") }
        for text in ["", "a", "ab", "abx", "ybc"] { #expect(!search.isIn(Array(text.utf8)), "\(text)") }
    }

    @Test("an occurrence that does not count is passed over")
    func accepts() {
        let search = MarkSearch(["ab"])
        let bytes = Array("ab1 ab2".utf8)
        #expect(search.isIn(bytes) { _, end in bytes[end] == UInt8(ascii: "2") })
        #expect(!search.isIn(bytes) { _, end in bytes[end] == UInt8(ascii: "3") })
    }
}
