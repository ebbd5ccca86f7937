import PinholeSource
import Testing

@Suite("SourceLexer")
struct SourceLexerTests {
    private func tokens(_ text: String, _ language: SourceLanguage) -> [String] {
        SourceLexer.tokens(in: Array(text.utf8), language).map(\.code)
    }

    @Test(
        "leaves out the comments of each language",
        arguments: [
            (SourceLanguage.kotlin, "a /* x /* y */ z */ b // c"), (.swift, "a /* x /* y */ z */ b // c"),
            (.java, "a /* x /* y */ b // c"), (.python, "a # x \"y\nb"), (.go, "a // \"x\nb"),
            (.php, "a # x\nb // c"), (.script, "a /* ' */ b // `"), (.rust, "a /* /* */ */ b"),
            (.objectiveC, "a\n#if 0\nx\n#if 1\ny\n#endif\n#endif\nb"), (.cSharp, "a\n#if false\nx\n#else\nb"),
            (.dart, "a /// x\nb"), (.lua, "a -- [[x\nb --[=[ ]]\n'x ]=]"), (.erlang, "a % \"x\nb"),
        ]
    )
    func comments(language: SourceLanguage, text: String) {
        #expect(tokens(text, language) == ["a", "b"])
    }

    @Test(
        "keeps the text of literals, with their escapes resolved",
        arguments: [
            (SourceLanguage.kotlin, #""a\"b // c""#, #"a"b // c"#),
            (.kotlin, "\"\"\"a\"b\\n\"\"\"", "a\"b\\n"),
            (.swift, ##"#"a"b\n"#"##, #"a"b\n"#), (.swift, "\"\"\"\n    a\n    b\n    \"\"\"", "a\nb"),
            (.python, "r'a\\n'", "a\\n"), (.python, "'a' \"b\" 'c'", "abc"), (.python, "'''a\nb'''", "a\nb"),
            (.go, "`a\\n\"`", "a\\n\""), (.cSharp, "@\"a\"\"b\\\"", "a\"b\\"), (.dart, "r'a$b'", "a$b"),
            (.dart, "'a'\n\"b\"", "ab"), (.script, "`a\\`b`", "a`b"), (.java, "\"\\u0041\\t\"", "A\t"),
            (.rust, "r#\"a\"b\"#", "a\"b"), (.objectiveC, "@\"a\" @\"b\"", "ab"), (.php, "'a$b'", "a$b"),
            (.lua, "[=[a]]\nb]=]", "a]]\nb"), (.elixir, "~S(a\\n\")", "a\\n\""), (.elixir, "?\"", "?\""),
            (.elixir, "~s|a\\||", "a|"), (.erlang, "$\"", "$\""),
        ]
    )
    func literals(language: SourceLanguage, text: String, expected: String) {
        let code = SourceCode(Array(text.utf8), language)
        #expect(SourceEvaluator(code).value(at: 0, before: code.tokens.count).wholeText == expected)
    }

    @Test(
        "keeps the expressions in a literal apart from its text",
        arguments: [
            (SourceLanguage.kotlin, "\"a${b(\"}\")}c\""), (.dart, "'a${b(\"}\")}c'"),
            (.script, "`a${b(\"}\")}c`"),
            (.swift, #""a\(b("}"))c""#), (.cSharp, "$\"a{b(\"}\")}c\""), (.python, "f'a{b(\"}\")}c'"),
        ]
    )
    func templates(language: SourceLanguage, text: String) {
        let token = SourceLexer.tokens(in: Array(text.utf8), language).first
        #expect(token?.kind == .literal([.text("a"), .expression("b(\"}\")"), .text("c")]))
    }

    @Test("a literal that is not closed ends with its line, and a pattern of JavaScript is none")
    func ends() {
        #expect(tokens("don't\nnext", .objectiveC) == ["don", "\"t\"", "next"])
        #expect(
            tokens("x = /[\"'/]+/g; y = a / b", .script) == ["x", "=", "/", ";", "y", "=", "a", "/", "b"]
        )
        #expect(tokens("fn f<'a>(x: &'a str) { '\\'' }", .rust).contains("\"'\""))
    }

    @Test("each token has its line and column")
    func places() {
        let tokens = SourceLexer.tokens(in: Array("a\n  b \"x\ny\" /* \n */ c".utf8), .php)
        #expect(tokens.map(\.line) == [1, 2, 2, 4] && tokens.map(\.column) == [0, 2, 4, 4])
    }

    @Test("ends with any bytes, in any language", arguments: SourceLanguage.allCases)
    func anyBytes(language: SourceLanguage) {
        let marks = Array("\"'`$@#{}()[]\\/*\n|<>=:;,.rfu0\u{e9} ".utf8)
        var state: UInt64 = 7
        for _ in 0..<300 {
            let bytes = (0..<120).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return marks[Int(state >> 33) % marks.count]
            }
            let code = SourceCode(bytes, language)
            let evaluator = SourceEvaluator(code)
            for index in code.tokens.indices {
                _ = evaluator.value(at: index, evaluator.runs(at: index).first ?? [:])
            }
            #expect(code.tokens.count <= bytes.count)
        }
    }
}
