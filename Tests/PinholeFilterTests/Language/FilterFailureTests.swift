import PinholeFilter
import Testing

@Suite("Filter failures")
struct FilterFailureTests {
    @Test("shows the place")
    func caret() {
        let failure = #expect(throws: FilterFailure.self) { try Filter("~d a & stauts >= 400") }
        #expect(
            failure?.description == """
                column 8: expected a known field, found “stauts”; to fix it: write “status”
                  ~d a & stauts >= 400
                         ^
                """
        )
    }

    @Test("the caret is below the fault, also after wide characters and combining marks")
    func wide() {
        let failure = #expect(throws: FilterFailure.self) { try Filter("~u 日本e\u{301} & stauts >= 400") }
        #expect(failure?.excerpt == ["  ~u 日本e\u{301} & stauts >= 400", "             ^"])
    }

    @Test(
        "names the words that are allowed in place of the wrong one",
        arguments: [
            ("~d a & stauts >= 400", "status"), ("~markd", "~marked"), ("~c200", "~c 200"),
            ("status >= abc", nil), ("foo contains bar", nil), ("header.x-p == 1", "header[x-p]"),
            ("request.headers.x-p ~ a", "request.header[x-p]"),
            ("response.headers[x-p] == 1", "response.header"),
            ("header[x-p]", nil),
        ] as [(String, String?)]
    )
    func suggestion(_ text: String, _ suggestion: String?) {
        #expect(#expect(throws: FilterFailure.self) { try Filter(text) }?.suggestion == suggestion)
    }

    @Test("says how a field is asked for that is there at all")
    func presence() throws {
        let failure = #expect(throws: FilterFailure.self) { try Filter("header[x-p]") }
        #expect(failure?.remedy == "write “header[x-p] ~ *” for any value")
        _ = try Filter("header[x-p] ~ *")
    }

    @Test("shows a part of a long filter, and no control character")
    func excerpt() {
        let text = String(repeating: "~q ", count: 100) + "\u{1b}[2J ~zz"
        let failure = #expect(throws: FilterFailure.self) { try Filter(text) }
        #expect(failure?.excerpt.allSatisfy { $0.count <= 105 && !$0.contains("\u{1b}") } == true)
        #expect(failure?.excerpt.last?.hasSuffix(" ^") == true)
    }
}
