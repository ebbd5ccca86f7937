import Testing

@testable import PinholeModel

@Suite("JSONPointer")
struct JSONPointerTests {
    @Test("reads names, escapes and empty names")
    func tokens() {
        #expect(JSONPointer("")?.tokens == [])
        #expect(JSONPointer("/")?.tokens == [""])
        #expect(JSONPointer("/a~1b/m~0n/~01/0")?.tokens == ["a/b", "m~n", "~1", "0"])
    }

    @Test("refuses invalid values", arguments: ["a", "a/b", "/~", "/~2", "/a~"])
    func refused(text: String) { #expect(JSONPointer(text) == nil) }

    @Test("takes numbers without leading zeros alone for elements")
    func index() {
        #expect(JSONPointer.index("0") == 0)
        #expect(JSONPointer.index("10") == 10)
        for text in ["", "01", "-", "-1", "1.0", "9999999999"] { #expect(JSONPointer.index(text) == nil) }
    }
}
