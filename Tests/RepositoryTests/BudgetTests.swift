import Testing

@Suite("Budgets")
struct BudgetTests {
    @Test("Swift files are short", arguments: ["Sources", "Tests"])
    func files(folder: String) throws {
        #expect(try Repository.swiftFiles(below: folder).flatMap(BudgetRule.findings(in:)) == [])
    }

    @Test("pages are short, each and all together")
    func documents() throws {
        let readme = try #require(Repository.text(of: "README.md"))
        let pages = try Repository.files(below: "docs", ending: ".md")
        #expect(pages.count > 20)
        #expect(BudgetRule.findings(inDocuments: [SourceFile(path: "README.md", text: readme)] + pages) == [])
    }

    @Test("the rule finds a long file")
    func longFile() {
        let file = SourceFile(path: "A.swift", text: String(repeating: "\n", count: BudgetRule.fileLines))
        #expect(BudgetRule.findings(in: file).count == 1)
    }

    @Test("the rule counts the words of a page without code and tables, however long its lines are")
    func longPage() {
        let words = String(repeating: "word ", count: BudgetRule.documentWords)
        let allowed = SourceFile(path: "A.md", text: words)
        let table = SourceFile(path: "A.md", text: words + "\n| a cell | of a table |")
        let code = SourceFile(path: "A.md", text: words + "\n```\n$ a command\n```")
        let long = SourceFile(path: "A.md", text: words + "more")
        #expect(BudgetRule.findings(inDocuments: [allowed, table, code]) == [])
        #expect(BudgetRule.findings(inDocuments: [long]).count == 1)
    }

    @Test("the rule counts the words of all pages together")
    func manyPages() {
        let count = BudgetRule.allDocumentWords / BudgetRule.documentWords
        let page = SourceFile(
            path: "A.md",
            text: String(repeating: "word ", count: BudgetRule.documentWords)
        )
        let pages = Array(repeating: page, count: count)
        #expect(BudgetRule.findings(inDocuments: pages) == [])
        #expect(BudgetRule.findings(inDocuments: pages + [page]).count == 1)
    }
}
