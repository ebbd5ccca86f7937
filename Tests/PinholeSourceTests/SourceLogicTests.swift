import PinholeSource
import Testing

/// Boolean expressions that their operators and written operands decide.
@Suite("SourceLogic")
struct SourceLogicTests {
    private func truth(_ expression: String, _ name: String) throws -> Bool? {
        let code = SourceCode(Array("x = \(expression)\n".utf8), name: name)
        let place = try #require(code.tokens.indices.first { code.isMark("=", at: $0) })
        return SourceEvaluator(code).value(at: place + 1).truth
    }

    @Test(
        "an expression with decided operands has its truth",
        arguments: [
            ("a.js", "!false", true), ("a.js", "!true", false), ("a.js", "!0", true),
            ("a.java", "check(h, s) || true", true), ("a.java", "false && check(h)", false),
            ("a.java", "true && true", true), ("a.java", "Boolean.TRUE", true),
            ("a.dart", "kReleaseMode ? true : true", true), ("a.cs", "1 == 1", true),
            ("a.kt", "\"a\" != \"a\"", false), ("a.py", "not True", false), ("a.py", "f(x) or True", true),
            ("a.js", "true ? false : true", false), ("a.js", "!(a || true)", false),
        ]
    )
    func decided(name: String, expression: String, truth: Bool) throws {
        #expect(try self.truth(expression, name) == truth)
    }

    @Test(
        "an expression that code decides has none",
        arguments: [
            ("a.java", "check(h, s) && true"), ("a.java", "a || false"), ("a.js", "!strict"),
            ("a.js", "mode === 'production'"), ("a.dart", "kReleaseMode ? true : false"),
            ("a.py", "not verify"), ("a.swift", "a as? Bool ?? true"), ("a.js", "options?.strict"),
        ]
    )
    func undecided(name: String, expression: String) throws {
        #expect(try truth(expression, name) == nil)
    }

    @Test("a literal has the truth that conditions of scripts take it by")
    func truthiness() throws {
        for (text, truth) in [("0", false), ("1", true), ("''", false), ("'a'", true), ("None", false)] {
            let code = SourceCode(Array("x = \(text)\n".utf8), name: "a.py")
            #expect(SourceEvaluator(code).value(at: 2).truthiness == truth, "\(text)")
        }
    }
}
