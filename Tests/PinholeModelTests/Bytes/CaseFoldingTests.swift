import Testing

@testable import PinholeModel

@Suite("Case folding")
struct CaseFoldingTests {
    @Test("letters of ASCII are the same in both cases, and no other bytes")
    func folding() {
        #expect(CaseFolding.isEqual(Array("aZ@".utf8), Array("Az@".utf8)))
        #expect(!CaseFolding.isEqual(Array("@".utf8), Array("`".utf8)))
        #expect(!CaseFolding.isEqual(Array("é".utf8), Array("É".utf8)))
        #expect(CaseFolding.contains(Array("xxAbx".utf8), Array("aB".utf8)))
        #expect(!CaseFolding.contains(Array("a".utf8), Array("ab".utf8)))
    }

    @Test(
        "a glob is matched as a whole",
        arguments: [
            ("", "", true), ("a", "", false), ("", "*", true), ("abc", "a*c", true), ("abcabc", "*bc", true),
            ("abc", "*b", false),
            ("a/b/c", "A/*/C", true), ("aab", "*a*b", true), ("aa", "a", false),
        ]
    )
    func glob(_ text: String, _ glob: String, _ expected: Bool) {
        #expect(CaseFolding.matches(Array(text.utf8), glob: Array(glob.utf8)) == expected)
    }

    @Test("many stars cost no more than few")
    func hostile() {
        let glob = Array((String(repeating: "a*", count: 2000) + "b").utf8)
        #expect(!CaseFolding.matches(Array(repeating: 0x61, count: 5000), glob: glob))
    }
}
