import Testing

@testable import PinholeWire

@Suite("EntityTag")
struct EntityTagTests {
    @Test("reads strong and weak tags", arguments: ["\"a\"", "W/\"a\"", "\"\"", "\"a,b\"", "\"ü\""])
    func reads(_ text: String) throws {
        let tag = try #require(EntityTag(text))
        #expect(tag.isWeak == text.hasPrefix("W/"))
        #expect(tag.isStronglyEqual(to: tag) != tag.isWeak)
    }

    @Test(
        "refuses an invalid tag",
        arguments: ["", "a", "\"a", "a\"", "w/\"a\"", "W/a", "\"a b\"", "\"a\" ", "*"]
    )
    func refuses(_ text: String) {
        #expect(EntityTag(text) == nil)
    }

    @Test("reads the lists of conditions")
    func conditions() throws {
        let (a, b) = (try #require(EntityTag("\"a,b\"")), try #require(EntityTag("W/\"c\"")))
        #expect(EntityTag.Condition([]) == nil)
        #expect(EntityTag.Condition(["*"]) == .any)
        #expect(EntityTag.Condition([" * "]) == .any)
        #expect(EntityTag.Condition(["\"a,b\", W/\"c\""]) == .oneOf([a, b]))
        #expect(EntityTag.Condition(["\"a,b\"", ",W/\"c\","]) == .oneOf([a, b]))
        #expect(EntityTag.Condition(["\"a,b\", x, W/\"c\""]) == .oneOf([a]))
        #expect(EntityTag.Condition(["", ","]) == .oneOf([]))
        #expect(EntityTag.Condition(["*, \"a,b\""]) == .oneOf([]))
    }
}
