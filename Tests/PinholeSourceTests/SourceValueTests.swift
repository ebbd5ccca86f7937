import PinholeSource
import Testing

/// The values that code writes out: constants, templates, collections, loops and parameters.
@Suite("SourceEvaluator")
struct SourceValueTests {
    /// The arguments of each run of each call of `add`, with those of a collection in one text.
    private func calls(_ text: String, _ ending: String, _ project: SourceProject? = nil) -> [[String]] {
        let code = SourceCode(Array(text.utf8), name: "a.\(ending)")
        let evaluator = SourceEvaluator(code, project)
        return code.tokens.indices.filter {
            code.tokens[$0].lastName == "add" && code.isMark("(", at: $0 + 1)
        }
        .flatMap { index in
            evaluator.runs(at: index).map { run in
                evaluator.elements(in: index + 1, run).map { element in
                    element.value.elements.map { $0.map(\.value.code).joined(separator: "|") }
                        ?? element.value.code
                }
            }
        }
    }

    @Test(
        "constants, sums, templates and formats have their values",
        arguments: [
            (
                "kt",
                "const val H: String = \"h\"; b.add(H, \"x/$H\", \"x/${A.H}\", \"x/\" + H, \"%s!\".format(H))"
            ),
            (
                "java",
                "static final String H = \"h\"; b.add(H, \"x/\" + H, \"x/\".concat(H), \"x/\" + (H), String.format(\"%s!\", H));"
            ),
            (
                "swift",
                "let h = \"h\"; b.add(h, \"x/\\(h)\", \"x/\" + h, \"x/\\(Self.h)\", String(format: \"%@!\", h))"
            ),
            ("dart", "const h = 'h'; b.add(h, 'x/$h', 'x/${h}', 'x/' + h, '$h' '!');"),
            ("js", "const h = 'h'; b.add(h, `x/${h}`, 'x/' + h, `x/${h}`, h + '!')"),
            (
                "cs",
                "const string H = \"h\"; b.add(H, $\"x/{H}\", \"x/\" + H, @\"x/\" + H, string.Format(\"{0}!\", H));"
            ),
            (
                "go",
                "const h = \"h\"\nfunc f() { b.add(h, \"x/\" + h, `x/` + h, fmt.Sprintf(\"x/%s\", h), h+\"!\") }"
            ),
            ("py", "H = 'h'\nb.add(H, f'x/{H}', 'x/' + H, 'x/%s' % H, '{}!'.format(H))"),
            (
                "m",
                "#define H @\"h\"\nx.add(H, [NSString stringWithFormat:@\"x/%@\", H], @\"x/\" @\"h\", @\"x/h\", @\"h!\");"
            ),
        ]
    )
    func constants(ending: String, text: String) {
        #expect(calls(text, ending) == [["h", "x/h", "x/h", "x/h", "h!"]])
    }

    @Test(
        "a part that is not known keeps its expression",
        arguments: [
            (
                "kt", "b.add(\"x/$y\", \"x/${C.y}\", \"x/\" + C.y, f(y))",
                ["x/${y}", "x/${C.y}", "x/${C.y}", "f(y)"]
            ),
            (
                "js", "b.add(`x/${y}`, y ? 'a' : 'b', y || 'c', z.y)",
                ["x/${y}", "y?\"a\":\"b\"", "y||\"c\"", "z.y"]
            ),
            ("kt", "val p = \"a\"; fun f(p: String) { b.add(p) }", ["p"]),
            ("java", "String p = \"a\"; p = \"b\"; b.add(p);", ["p"]),
        ]
    )
    func unknown(ending: String, text: String, expected: [String]) {
        #expect(calls(text, ending) == [expected])
    }

    @Test(
        "a name that an operator changes has no known value",
        arguments: ["i++", "++i", "i |= f()", "i &= f()", "i ^= f()"]
    )
    func changed(statement: String) {
        #expect(calls("int i = 0; \(statement); b.add(i);", "java") == [["i"]])
        #expect(calls("int i = 0; b.add(i);", "java") == [["0"]])
    }

    @Test(
        "a loop over a collection that is written out is unrolled",
        arguments: [
            ("kt", "val l = listOf(\"1\", \"2\"); l.forEach { b.add(it) }"),
            ("kt", "for (p in arrayOf(\"1\", \"2\")) b.add(p)"),
            ("kt", "setOf(\"1\", \"2\").forEach { p -> b.add(p) }"),
            ("kt", "fun f(vararg l: String) { for (p in l) { b.add(p) } }\nf(\"1\", \"2\")"),
            ("java", "String[] l = {\"1\", \"2\"}; for (String p : l) { b.add(p); }"),
            ("java", "Arrays.asList(\"1\", \"2\").forEach(p -> b.add(p));"),
            ("java", "for (final String p : List.of(\"1\", \"2\")) b.add(p);"),
            ("js", "for (const p of ['1', '2']) { b.add(p) }"),
            ("js", "const l = ['1', '2']; l.forEach(function (p) { b.add(p) })"),
            ("dart", "for (final p in <String>['1', '2']) { b.add(p); }"),
            ("dart", "['1', '2'].forEach((p) { b.add(p); });"),
            ("swift", "for p in [\"1\", \"2\"] { b.add(p) }"),
            ("swift", "[\"1\", \"2\"].forEach { b.add($0) }"),
            ("go", "func f() { for _, p := range []string{\"1\", \"2\"} { b.add(p) } }"),
            ("cs", "foreach (var p in new[] { \"1\", \"2\" }) { b.add(p); }"),
            ("kt", "fun l(): List<String> { return listOf(\"1\", \"2\") }\nfor (p in l()) b.add(p)"),
            ("java", "String[] l = {\"1\", \"2\"}; for (int i = 0; i < l.length; i++) { b.add(l[i]); }"),
            ("js", "const l = ['1', '2']; for (let i = 0; i < l.length; ++i) b.add(l[i])"),
        ]
    )
    func loops(ending: String, text: String) {
        #expect(calls(text, ending) == [["1"], ["2"]])
    }

    @Test(
        "a loop over a dictionary gives keys and values",
        arguments: [
            ("kt", "mapOf(\"k\" to listOf(\"1\", \"2\")).forEach { (h, p) -> b.add(h, *p.toTypedArray()) }"),
            ("kt", "for ((h, p) in mapOf(\"k\" to arrayOf(\"1\", \"2\"))) { b.add(h, *p) }"),
            (
                "kt",
                "listOf(\"k\" to listOf(\"1\", \"2\")).forEach { b.add(it.first, *it.second.toTypedArray()) }"
            ),
            ("kt", "for (e in mapOf(\"k\" to listOf(\"1\", \"2\"))) b.add(e.key, *e.value.toTypedArray())"),
            (
                "go",
                "func f() { for h, p := range map[string][]string{\"k\": {\"1\", \"2\"}} { b.add(h, p[0], p[1]) } }"
            ),
            ("swift", "for (h, p) in [\"k\": [\"1\", \"2\"]] { b.add(h, p[0], p[1]) }"),
        ]
    )
    func dictionaries(ending: String, text: String) {
        #expect(calls(text, ending) == [["k", "1", "2"]])
    }

    @Test("constants with the same name in two objects are distinguished")
    func containers() {
        let text = "object A { const val H = \"a\" }\nobject B { const val H = \"b\" }\nb.add(A.H, B.H, H)"
        #expect(calls(text, "kt") == [["a", "b", "H"]])
        let nested =
            "class A { val h = \"a\"; fun f() { b.add(h) } }\nclass B { val h = \"b\"; fun f() { b.add(h) } }"
        #expect(calls(nested, "kt") == [["a"], ["b"]])
    }

    @Test("constants of other files of the project are followed, and a name with two values is not")
    func project() {
        let files = [
            "Hosts.kt": "object Hosts { const val API = \"a.test\" }",
            "Pins.kt": "val PINS = listOf(\"1\", Hosts.API)",
            "One.kt": "val TWICE = \"1\"", "Two.kt": "val TWICE = \"2\"", "readme.md": "val OTHER = \"x\"",
        ]
        let project = SourceProject(files.map { ($0.key, Array($0.value.utf8)) })
        let found = calls("b.add(Hosts.API, PINS, TWICE, OTHER)", "kt", project)
        #expect(found == [["a.test", "1|a.test", "TWICE", "OTHER"]])
    }

    @Test("a name that is made of itself is not known")
    func circles() {
        #expect(calls("val a = b; val b = a; x.add(a, b)", "kt") == [["a", "b"]])
    }

    @Test(
        "the answer of a callback follows from its results",
        arguments: [
            ("dart", "(c, h, p) => true", SourceAnswer.accepts),
            ("dart", "(c, h, p) { print(h); return true; }", .accepts),
            ("dart", "(c, h, p) { if (h == x) return true; return false; }", .undecided),
            ("dart", "(c, h, p) => false", .refuses), ("dart", "(c, h, p) => true && f(c)", .undecided),
            ("cs", "(m, c, ch, e) => { Log(c); return true; }", .accepts),
            ("cs", "delegate { return true; }", .accepts),
            ("cs", "(m, c, ch, e) => e == SslPolicyErrors.None", .undecided),
            ("swift", "{ trust, host in return true }", .accepts),
            ("swift", "{ _, _ in true }", .accepts), ("kt", "{ _, _ -> true }", .accepts),
            ("kt", "{ h, s -> verify(h, s) }", .undecided),
            ("js", "function (a) { return true }", .accepts),
            ("js", "(a) => { throw new Error() }", .undecided),
            ("java", "(h, s) -> true", .accepts), ("py", "lambda a, b: True", .accepts),
        ]
    )
    func answers(ending: String, text: String, expected: SourceAnswer) throws {
        let code = SourceCode(Array(text.utf8), name: "a.\(ending)")
        let evaluator = SourceEvaluator(code)
        let closure = try #require(evaluator.closure(at: 0, before: code.tokens.count))
        #expect(evaluator.answer(of: closure) == expected)
    }
}
