import Testing

@testable import PinholeSource

/// Code whose values would double, whose brackets are nested without end, or whose marks never end.
@Suite("Hostile source code")
struct HostileSourceTests {
    private func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    /// Texts of which each holds the one before several times.
    private static func doubling(_ first: String, _ next: (String, String) -> String) -> String {
        (1...38).reduce(first) { $0 + next("a\($1)", "a\($1 - 1)") }
    }

    @Test(
        "variables of a script that double with each line are left out of words",
        arguments: [
            doubling("a0=x\n") { "\($0)=$\($1)$\($1)\n" },
            doubling("a0=(x y)\n") { "\($0)=(\"${\($1)[@]}\" $\($1))\n" },
            doubling("a0=x\n") { "\($0)=${\($1):-y}${\($1):-y}\n" },
        ]
    )
    func variables(_ script: String) {
        let commands = ShellCommand.commands(in: script + "curl -k $a38 $a1 https://a.test\n")
        let words = commands.last?.words ?? []
        #expect(words.first?.whole == "curl")
        #expect(words.last?.whole == "https://a.test")
        #expect(words.reduce(0) { $0 + $1.text.size } < 1 << 20)
    }

    @Test("a word of many variables is no longer than the room for them")
    func words() {
        let script = "a=\(times("x", 60_000))\ncurl -k \(times("$a", 20_000)) https://a.test\n"
        let words = ShellCommand.commands(in: script).last?.words ?? []
        #expect(words.reduce(0) { $0 + $1.text.size } < 1 << 22)
    }

    @Test(
        "brackets and scripts in each other are read to a bound",
        arguments: ["a=(", "$(", "\"$(", "sh <<E\n", "for i in a; do\n", "`", "${", "cat <<E <<F\n"]
    )
    func nested(_ text: String) {
        let commands = ShellCommand.commands(in: "curl -k https://a.test\n" + times(text, 20_000))
        #expect(commands.first?.words.first?.whole == "curl")
    }

    @Test("the commands whose output is an element of an array run")
    func arrays() {
        let commands = ShellCommand.commands(in: "a=($(curl -k x) b)\n")
        #expect(commands.map { $0.words.map(\.text.code) } == [["curl", "-k", "x"]])
    }

    @Test(
        "marks that begin no literal, and literals that do not end, are read once",
        arguments: [
            (SourceLanguage.cSharp, "@"), (.cSharp, "$"), (.lua, "="), (.lua, "[="), (.lua, "[=a"),
            (.swift, "#"),
            (.swift, "#\""), (.rust, "r#"), (.script, "/["), (.script, "`${'\\"), (.kotlin, "`"),
            (.elixir, "~s"),
            (.unknown, "\"\\(\"\\"), (.php, "`"), (.erlang, "'"), (.python, "f'{"),
        ]
    )
    func marks(language: SourceLanguage, mark: String) {
        let code = times(mark, 100_000)
        #expect(!SourceLexer.tokens(in: Array(code.utf8), language).isEmpty)
    }

    @Test("a literal in C# and Swift keeps its marks")
    func forms() {
        #expect(SourceCode(Array("x = $@\"a\"\"b\"".utf8), name: "a.cs").tokens.last?.text == "a\"b")
        #expect(SourceCode(Array("x = ##\"a\"#b\"##".utf8), name: "a.swift").tokens.last?.text == "a\"#b")
    }

    @Test(
        "values that would double are not known",
        arguments: [
            doubling("const a0 = 'xxxxxxxx';\n") {
                "const \($0) = \(Array(repeating: $1, count: 50).joined(separator: "+"));\n"
            },
            doubling("const a0 = ['x'];\n") {
                "const \($0) = [\(Array(repeating: "...\($1)", count: 50).joined(separator: ", "))];\n"
            },
            doubling("const a0 = 'xxxxxxxx';\n") {
                "const \($0) = `\(Array(repeating: "${\($1)}", count: 50).joined())`;\n"
            },
            doubling("const a0 = 'xxxxxxxx';\n") { "const \($0) = \($1).concat(\($1)).concat(\($1));\n" },
            doubling("const a0 = ['x'];\n") { "const \($0) = \($1).flatMap(x => \($1));\n" },
        ]
    )
    func values(_ text: String) {
        let code = SourceCode(Array((text + "f(a20)\n").utf8), name: "a.js")
        let value = SourceEvaluator(code).value(at: code.tokens.count - 2, before: code.tokens.count - 1)
        #expect(value.size < 1 << 24)
        #expect(value.wholeText == nil)
    }

    @Test("collections that hold one another twice are compared to a bound")
    func comparisons() {
        let texts = Self.doubling("const a0 = ['x'];\n") { "const \($0) = [\($1), \($1), \($1), \($1)];\n" }
        let code = SourceCode(Array((texts + texts + "f(a16)\n").utf8), name: "a.js")
        let value = SourceEvaluator(code).value(at: code.tokens.count - 2, before: code.tokens.count - 1)
        #expect(value.wholeText == nil)
    }

    @Test(
        "expressions in each other are read to a bound",
        arguments: [
            "(", "[", "{", "<a>", "a ? ", "!", "a.", "f(a, ", "a => ", "() => {", "(a", "a + ", "'a' + ",
        ]
    )
    func expressions(_ text: String) {
        for name in ["a.js", "a.kt", "a.swift", "a.m", "a.py", "a.rs"] {
            let code = SourceCode(Array("x = \(times(text, 30_000))b".utf8), name: name)
            let value = SourceEvaluator(code).value(at: 2)
            #expect(value.truth == nil)
        }
    }

    @Test(
        "statements without an end are read in proportion to their number",
        arguments: ["a = b\n", "#define A b ", "for a ", "for (a ", "a.forEach(b => ", "{a = ", "a.add(b) "]
    )
    func declarations(_ text: String) {
        for name in ["a.cs", "a.php", "a.js", "a.c"] {
            let code = SourceCode(Array(times(text, 15_000).utf8), name: name)
            let evaluator = SourceEvaluator(code)
            #expect(!evaluator.runs(at: code.tokens.count - 1).isEmpty)
        }
    }

    @Test(
        "the end of a value and of a statement is the next mark, over brackets",
        arguments: [
            ("a.cs", "a = f(b, c), d; e", 8, 10), ("a.cs", "{ a = b }; c", 4, 4), ("a.cs", "a b", 2, 2),
            ("a.js", "a = f(\nb)\nc", 6, 6), ("a.js", "a = b // ,\n+ c\nd", 5, 5), ("a.cs", "a } b; c", 3, 3),
        ]
    )
    func ends(name: String, text: String, value: Int, statement: Int) {
        let code = SourceCode(Array(text.utf8), name: name)
        let start = code.tokens.firstIndex { $0.name == "a" } ?? 0
        #expect(code.valueEnd(from: start) == value)
        #expect(code.statementEnd(from: start) == statement)
    }

    @Test(
        "literals that a line joins are one",
        arguments: [
            ("a.js", "['reject' + 'Unauthorized']", ["rejectUnauthorized"]),
            ("a.js", "'a' + b + 'c'", ["a", "c"]),
            ("a.php", "'verify_' . \"peer\"", ["verify_peer"]), ("a.php", "'a' + 'b'", ["a", "b"]),
            ("a.py", "'%s' + 'b' % c", ["%s", "b"]), ("a.js", "'a' + 'b'.trim()", ["a", "b"]),
            ("a.java", "\"a\" +\n\"b\"", ["a", "b"]),
            ("a.js", "`reject${'Unauthorized'}`", ["rejectUnauthorized"]),
            ("a.kt", "\"a${\"b\"}\"", ["ab"]), ("a.js", "'a' + `b${c}`", ["ab${c}"]),
        ]
    )
    func joined(name: String, text: String, expected: [String]) {
        let code = SourceCode(Array(text.utf8), name: name)
        let literals = code.tokens.filter(\.isLiteral)
        #expect(literals.map { $0.code.dropFirst().dropLast() }.map(String.init) == expected)
    }
}
