import PinholeFilter
import PinholeTestKit
import Testing

@Suite("Substitution")
struct SubstitutionTests {
    @Test(
        "replaces matches as Python does",
        arguments: [
            (#"(\w+)@(\w+)"#, "$2 at $1", "a@b c@d", "b at a d at c"),
            ("a*", "-", "baac", "-b--c-"),
            ("a+?", "x", "aaa", "xxx"),
            ("(a|ab)(c|bcd)(d*)", "[$1|$2|$3]", "abcd", "[a|bcd|]"),
            ("<.+?>", "", "<b>bold</b>", "bold"),
            ("<.+>", "", "<b>bold</b>", ""),
            (#"(?P<y>\d{4})-(?P<m>\d\d)"#, "${m}/${y}", "on 2026-11-21", "on 11/2026-21"),
            ("^v1/", "v2/", "v1/v1/", "v2/v1/"),
            ("(x)?y", "[$1]", "xyy", "[x][]"),
            ("HOST", "$$0", "host", "$0"),
            ("(?-i)A", "b", "aA", "ab"),
            (#"\bcat\b"#, "dog", "cat concat cat", "dog concat dog"),
            ("ü?", "-", "aüé", "-a--é-"),
            ("$", "!", "end\n", "end!\n!"),
        ]
    )
    func replaces(expression: String, replacement: String, text: String, expected: String) throws {
        let substitution = try Substitution(expression, with: replacement)
        let result = substitution.replacing(in: Array(text.utf8), limit: 1000)
        #expect(result.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("says that nothing matched")
    func nothing() throws {
        #expect(try Substitution("b", with: "c").replacing(in: Array("aaa".utf8), limit: 100) == nil)
    }

    @Test("stops where captures would grow beyond the limit")
    func growth() throws {
        let substitution = try Substitution("(.*)", with: String(repeating: "$1", count: 9))
        let text = Array(repeating: UInt8(0x61), count: 1000)
        #expect(substitution.replacing(in: text, limit: 8999) == nil)
        #expect(substitution.replacing(in: text, limit: 9000)?.count == 9000)
    }

    @Test("takes linear time where others go back and forth", .patience)
    func linear() throws {
        let substitution = try Substitution("(a+)+$", with: "$1")
        let text = Array(repeating: UInt8(0x61), count: 5000) + [0x62]
        #expect(substitution.replacing(in: text, limit: 10_000) == nil)
    }

    @Test("gives up where every match would look at the whole rest", .patience)
    func square() throws {
        let text = Array(repeating: UInt8(0x61), count: 2000)
        #expect(try Substitution("a.*z|a", with: "b").replacing(in: text + [0x7a], limit: 1 << 20) == [0x62])
        #expect(try Substitution("a.*y|a", with: "b").replacing(in: text, limit: 1 << 20) == nil)
    }

    @Test(
        "refuses a group that is not there",
        arguments: ["$1", "${x}", "$", "$x", "${0", "${-1}"]
    )
    func refused(replacement: String) {
        #expect(throws: PatternFailure.self) { try Substitution("a", with: replacement) }
    }
}
