import Testing

@Suite("Budgets")
struct BudgetTests {
    @Test("Swift files are short", arguments: ["Sources", "Tests"])
    func files(folder: String) throws {
        #expect(try Repository.swiftFiles(below: folder).flatMap(BudgetRule.findings(in:)) == [])
    }

    @Test("pages are short")
    func documents() throws {
        let pages = try Repository.files(below: "docs", ending: ".md")
        #expect(pages.flatMap(BudgetRule.findings(inDocument:)) == [])
    }

    @Test("the rule finds a long file")
    func longFile() {
        let file = SourceFile(path: "A.swift", text: String(repeating: "\n", count: BudgetRule.fileLines))
        #expect(BudgetRule.findings(in: file).count == 1)
    }

    @Test("the rule counts the words of a page, however long its lines are")
    func longPage() {
        let words = String(repeating: "word ", count: BudgetRule.documentWords)
        let allowed = SourceFile(path: "A.md", text: words)
        let table = SourceFile(path: "A.md", text: words + "\n| a cell | of a table |")
        let long = SourceFile(path: "A.md", text: words + "more")
        #expect([allowed, table].flatMap(BudgetRule.findings(inDocument:)) == [])
        #expect(BudgetRule.findings(inDocument: long).count == 1)
    }
}
