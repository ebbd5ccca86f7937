import Testing

@testable import PinholeSource

@Suite("Tokens of source code with their brackets")
struct SourceCodeTests {
    private final class Counter { var value = 0 }

    /// Tokens that count how often one is read.
    private struct CountedTokens: RandomAccessCollection {
        let tokens: [SourceToken]
        let reads = Counter()

        var startIndex: Int { tokens.startIndex }
        var endIndex: Int { tokens.endIndex }

        subscript(index: Int) -> SourceToken {
            reads.value += 1
            return tokens[index]
        }
    }

    @Test(
        "conditions on one line are read in proportion to their number",
        arguments: ["#if ", "#if DEBUG ", "#if DEBUG || X ", "#if DEBUG && X\n", "#if DEBUG\n#endif\n"]
    )
    func debugBranches(_ text: String) {
        let code = String(repeating: text, count: 1_000)
        let tokens = CountedTokens(tokens: SourceLexer.tokens(in: Array(code.utf8), .swift))
        _ = SourceCode.debugBranches(in: tokens)
        let reads = tokens.reads.value
        #expect(reads < 12 * tokens.count, "\(reads) of \(tokens.count)")
    }

    @Test("the outermost branch of debug builds holds those within")
    func nested() {
        let text = "#if DEBUG\n#if X\na\n#endif\n#if DEBUG\nb\n#endif\nc\n#endif\nd"
        let code = SourceCode(Array(text.utf8), name: "a.m")
        let names = code.tokens.indices.filter { code.isInDebugBranch($0) }.compactMap {
            code.tokens[$0].name
        }
        #expect(names.filter { $0.count == 1 && $0 != "X" } == ["a", "b", "c"])
    }

    @Test("the brackets around a token come from the innermost one on")
    func ancestors() {
        let code = SourceCode(Array("a(b[c{d}])".utf8), name: "a.js")
        #expect(Array(code.ancestors(of: 6)) == [5, 3, 1])
        #expect(Array(code.ancestors(of: 0)).isEmpty)
    }
}
