import Testing

@Suite("Documentation")
struct DocumentationTests {
    @Test("what crosses targets is documented")
    func declarations() throws {
        let files = try ["Sources", "Tests/PinholeTestKit"].flatMap(Repository.swiftFiles)
        #expect(files.flatMap(DocumentationRule.findings) == [])
    }

    @Test("every document is in the reading order and on the site")
    func readingOrder() throws {
        let order = try #require(Repository.text(of: "docs/README.md"))
        let names = try Repository.files(below: "docs", ending: ".md").map {
            $0.path.dropFirst("docs/".count)
        }
        #expect(names.filter { $0 != "README.md" && !order.contains("(\($0))") } == [])
        let site = try #require(Repository.text(of: "mkdocs.yml"))
        #expect(names.filter { !site.contains(": \($0)\n") } == [])
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
