import Testing

@Suite("Documentation")
struct DocumentationTests {
    @Test("declarations that other targets use are documented")
    func declarations() throws {
        let files = try ["Sources", "Tests/PinholeTestKit"].flatMap(Repository.swiftFiles)
        #expect(files.flatMap(DocumentationRule.findings) == [])
    }

    @Test("summaries name the thing")
    func summaries() throws {
        let files = try Repository.swiftFiles(below: "Sources")
        #expect(files.flatMap(SummaryRule.findings) == [])
    }

    @Test(
        "a summary without a subject and a summary that repeats the name are found",
        arguments: [
            ("/// What it is.\nvar a = 1", 1),
            ("  /// One of them.\n  ///\n  /// It is read.\n  func b() {}", 1),
            ("/// The read size.\npackage let readSize = 1", 1), ("/// A limit.\nstruct Limit {}", 1),
            ("/// The size of a read, in bytes.\nlet readSize = 1", 0),
            ("/// Whether it is open.\nvar isOpen = true", 0),
            ("let a = 1 // What.\n// What for.", 0),
        ]
    )
    func badSummary(text: String, count: Int) {
        #expect(SummaryRule.findings(in: SourceFile(path: "A.swift", text: text)).count == count)
    }

    @Test("every document is in the reading order and on the site")
    func readingOrder() throws {
        let order = try #require(Repository.text(of: "docs/README.md"))
        let names = try Repository.files(below: "docs", ending: ".md").map {
            $0.path.dropFirst("docs/".count)
        }
        // The site takes its order from the links whose text is the page's name.
        #expect(names.filter { $0 != "README.md" && !order.contains("[\($0)](\($0))") } == [])
    }

    @Test("a declaration without documentation is seen")
    func undocumented() {
        let file = SourceFile(
            path: "A.swift",
            text:
                "package import B\n\npackage struct A {\n    /// One.\n    package var a = 1\n    package var b = 2\n}"
        )
        #expect(DocumentationRule.findings(in: file).count == 2)
    }

    @Test("attributes may stand between the documentation and the declaration")
    func attributes() {
        let file = SourceFile(
            path: "A.swift",
            text: "/// Runs.\n@discardableResult\npackage func run() -> Int { 1 }"
        )
        #expect(DocumentationRule.findings(in: file).isEmpty)
    }
}
