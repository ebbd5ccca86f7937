import Testing

@Suite("Budgets")
struct BudgetTests {
    @Test("files and functions are short", arguments: ["Sources", "Tests"])
    func short(folder: String) throws {
        #expect(try Repository.swiftFiles(below: folder).flatMap(BudgetRule.findings) == [])
    }

    @Test("documents are short")
    func documents() throws {
        let long = try Repository.files(below: "docs", ending: ".md")
            .filter { $0.lines.count > BudgetRule.documentLines }
        #expect(long.map(\.path) == [])
    }

    @Test("a long file is seen")
    func longFile() {
        let file = SourceFile(path: "A.swift", text: String(repeating: "\n", count: BudgetRule.fileLines))
        #expect(BudgetRule.findings(in: file).count == 1)
    }

    @Test(
        "a long function is seen",
        arguments: [
            "    package mutating func run(_ a: Int) -> Int {", "    @discardableResult static func run() {",
            "    init(", "    init?(_ text: String) {", "    deinit {", "    func run<T>(",
        ]
    )
    func longFunction(declaration: String) {
        let body = String(repeating: "        step()\n", count: BudgetRule.functionLines - 1)
        let file = SourceFile(path: "A.swift", text: "struct A {\n\(declaration)\n\(body)    }\n}\n")
        #expect(BudgetRule.functions(in: file).map(\.length) == [BudgetRule.functionLines + 1])
        #expect(BudgetRule.findings(in: file).count == 1)
    }

    @Test("the length of a function ends at its own brace")
    func lengths() {
        let file = SourceFile(
            path: "A.swift",
            text: """
                protocol P {
                    func required()
                    func other() -> Int
                }
                struct A {
                    func one() { print(1) }
                    func two() {
                        if true {
                            print(2)
                        }
                    }
                }
                func three() {
                }
                """
        )
        #expect(BudgetRule.functions(in: file).map(\.length) == [5, 2])
    }
}
