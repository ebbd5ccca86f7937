import PinholeFilter
import Testing

@Suite("Saved filters")
struct SavedFiltersTests {
    private static let texts = [
        "errors": "status >= 500 | failed",
        "api": "host == api.example.com",
        "mine": "@API & !@noise",
        "noise": "~t image",
    ]

    @Test(
        "are called by name, in any case",
        arguments: [
            ("@errors", "status >= 500 | failed"),
            ("@ERRORS", "status >= 500 | failed"),
            ("@api & @errors", "host == api.example.com & (status >= 500 | failed)"),
            ("!@errors", "!(status >= 500 | failed)"),
            ("(@mine)", "host == api.example.com & !(type matches image)"),
            ("~m post @api", "method matches post & host == api.example.com"),
        ]
    )
    func calls(_ text: String, _ canonical: String) throws {
        let vocabulary = FilterVocabulary(saved: try SavedFilters(Self.texts))
        #expect(try Filter(text, vocabulary).description == canonical)
    }

    @Test("a filter names the filters that it calls")
    func names() throws {
        let vocabulary = FilterVocabulary(saved: try SavedFilters(Self.texts))
        #expect(try Filter("@Errors & @mine & @errors", vocabulary).calls == ["errors", "mine"])
        #expect(try Filter("@one | @two", FilterVocabulary(saved: nil)).calls == ["one", "two"])
    }

    @Test("are listed in the order of their names")
    func order() throws {
        #expect(try SavedFilters(Self.texts).entries.map(\.name) == ["api", "errors", "mine", "noise"])
    }

    @Test(
        "unknown names are reported with the known ones",
        arguments: [
            ("@erors", 1, "write “@errors”", "@errors"),
            (
                "status == 1 & @nothing.like.it", 15,
                "write one of the saved filters: @api @errors @mine @noise", nil
            ),
            (
                "@focus", 1,
                "quote it to look for it in URLs; @all, @focus, @shown … are of mitmproxy's view", nil
            ),
            ("@", 1, "quote it to look for it in URLs", nil),
            ("@a@b", 1, "quote it to look for it in URLs", nil),
        ] as [(String, Int, String, String?)]
    )
    func unknown(_ text: String, _ column: Int, _ remedy: String, _ suggestion: String?) throws {
        let vocabulary = FilterVocabulary(saved: try SavedFilters(Self.texts))
        let failure = #expect(throws: FilterFailure.self) { try Filter(text, vocabulary) }
        #expect(failure?.column == column)
        #expect(failure?.remedy == remedy)
        #expect(failure?.suggestion == suggestion)
    }

    @Test("says that no filter is saved")
    func none() {
        let failure = #expect(throws: FilterFailure.self) { try Filter("@errors") }
        #expect(failure?.remedy?.hasPrefix("save a filter with this name") == true)
    }

    @Test(
        "a cycle is reported",
        arguments: [
            (
                ["a": "@b", "b": "@c & failed", "c": "@a"], "a",
                "it calls itself: @a calls @b calls @c calls @a"
            ),
            (["x": "@x"], "x", "it calls itself: @x calls @x"),
            (["A": "@b", "b": "@c", "c": "@B"], "b", "it calls itself: @b calls @c calls @b"),
        ]
    )
    func circles(_ texts: [String: String], _ name: String, _ sentence: String) {
        let failure = #expect(throws: SavedFilters.Failure.self) { try SavedFilters(texts) }
        #expect(failure?.name == name)
        #expect(failure?.description == sentence)
    }

    @Test(
        "an invalid name or filter is reported",
        arguments: [
            ["": "failed"], ["1st": "failed"], ["dot.": "failed"], ["two words": "failed"], ["ä": "failed"],
            [String(repeating: "x", count: 65): "failed"], ["good": "stauts == 1"], ["good": "@bad"],
            ["twice": "failed", "Twice": "failed"],
        ]
    )
    func mistakes(_ texts: [String: String]) {
        let failure = #expect(throws: SavedFilters.Failure.self) { try SavedFilters(texts) }
        #expect(failure?.description.contains("expected") == true)
    }

    @Test("a failure has the place in the text")
    func place() {
        let failure = #expect(throws: SavedFilters.Failure.self) {
            try SavedFilters(["good": "failed", "wrong": "failed & stauts == 1"])
        }
        #expect(failure?.name == "wrong")
        #expect(failure?.cause?.column == 10)
    }

    @Test("short texts that would become endless ones are refused")
    func bounds() {
        var texts = ["f0": "~u abc"]
        for number in 1...40 { texts["f\(number)"] = "@f\(number - 1) | !@f\(number - 1)" }
        let wide = #expect(throws: SavedFilters.Failure.self) { try SavedFilters(texts) }
        #expect(wide?.cause?.expected == "filters that call fewer others")

        texts = ["f0": "~u abc"]
        for number in 1...200 {
            texts["f\(number)"] = "failed \(number % 2 == 0 ? "|" : "&") @f\(number - 1)"
        }
        let deep = #expect(throws: SavedFilters.Failure.self) { try SavedFilters(texts) }
        #expect(deep?.cause?.expected == "filters that call fewer others")
    }
}
