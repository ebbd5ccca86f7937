import Testing

@testable import PinholeFilter

@Suite("Pattern")
struct PatternTests {
    @Test(
        "recognises plain text",
        arguments: [
            ("Api/v1", "api/v1", false), ("^https", "https", true), ("a\\.b", "a.b", false),
            ("é", "é", false),
            ("a.b", nil, false), ("a$", nil, false), ("a|b", nil, false), ("", nil, false),
            ("(?-i)a", nil, false),
        ] as [(String, String?, Bool)]
    )
    func literal(_ pattern: String, _ text: String?, _ isPrefix: Bool) throws {
        let literal = try Pattern(pattern).literal
        #expect(literal?.text == text && (literal?.isPrefix ?? false) == isPrefix)
    }

    @Test(
        "knows a text that has to be there",
        arguments: [
            ("api/v\\d+/items", "/items"), ("^https://.*login$", "https://"), ("(abc)+d", "abc"),
            ("(a|b)", nil),
            ("a?bc*", nil), ("x.y", nil), ("(?:teapot){2,3}", "teapot"),
        ] as [(String, String?)]
    )
    func required(_ pattern: String, _ text: String?) throws {
        #expect(try Pattern(pattern).requiredText == text)
    }

    @Test(
        "refuses texts that are too long",
        arguments: ["a{1000}{2}", "(a{1000}b){1000}", "((){1000}){1000}", "(a{500}){5}"]
    )
    func tooLong(_ pattern: String) {
        #expect(throws: PatternFailure.self) { try Pattern(pattern) }
    }

    @Test("two are the same when they are written alike")
    func equality() throws {
        #expect(try Pattern("a") == Pattern("a") && Pattern("a") != Pattern("A"))
        #expect(try Set([Pattern("a"), Pattern("a")]).count == 1)
    }
}
