import Foundation
import PinholeModel
import PinholeTestKit
import Testing

/// Every writer against every hostile text; real parsers say what became of it.
@Suite("Writers of foreign text")
struct TextWritersTests {
    /// Texts that peers, files and certificates may hold.
    static let hostile = [
        "plain", "", "\"); system(\"id\"); //", "\\(system(\"id\"))", "\\", "a\"b'c", "</string><key>x</key>",
        "<!-- x --> ]]>", "a -- b --!> c", "a & b &amp; c", "*/ /* //", "line\nX-Forged: 1",
        "line\r\nX-Forged: 1",
        "line\rX-Forged: 1", "next\u{85}X-Forged: 1", "line\u{2028}X-Forged: 1",
        "paragraph\u{2029}X-Forged: 1",
        "\u{1b}[2J\u{1b}]0;title\u{7}", "\u{9b}31m red", "\u{7f}\u{0}\u{8}", "\u{202e}gpj.exe",
        "\u{2066}a\u{2069}",
        "zero\u{200b}width\u{200d}\u{feff}", "=1+1", "＝1+1", "＋1", "－1", "＠a", "-2+3", "@sum", "\t=1", " =1",
        "\u{200b}=1", "a,\u{301}b", "\"\u{301},", "<\u{338}b>", "=\u{338}c", "| a | b", "[x](javascript:1)",
        "`id`",
        "$(id)", "$HOME", "tag \u{e0041}", "❤️ 日本 ü",
    ]

    @Test("no invisible character reaches a terminal", arguments: hostile)
    func terminal(text: String) {
        let line = TerminalText.line(text)
        #expect(line.unicodeScalars.allSatisfy { !$0.isUnseen }, "\(line.debugDescription)")
        #expect(TerminalText.lines(text).joined().unicodeScalars.allSatisfy { !$0.isUnseen })
        let page = TerminalText.page(text, keepingColours: false)
        #expect(page.unicodeScalars.allSatisfy { !$0.isUnseen || $0 == "\n" || $0 == "\t" })
        let coloured = TerminalText.page("\u{1b}[31m\(line)\u{1b}[0m", keepingColours: true)
        #expect(coloured == "\u{1b}[31m\(line)\u{1b}[0m")
    }

    @Test("on a terminal a line ends at LF or CRLF, and at nothing else")
    func lines() {
        #expect(
            TerminalText.lines("a: 1\r\nb\u{85}c: 2\nd\re\u{2028}f\r\n\r\n", omittingEmpty: true)
                == ["a: 1", "b\\u{85}c: 2", "d\\u{d}e\\u{2028}f"]
        )
        #expect(TerminalText.lines("\u{301}\n\u{301}") == ["\u{301}", "\u{301}"])
    }

    @Test(
        "of escape sequences only colours pass, and only where they are wanted",
        arguments: [
            ("\u{1b}[1;31mx\u{1b}[0m", "\u{1b}[1;31mx\u{1b}[0m"), ("\u{1b}[2J", "\\u{1b}[2J"),
            ("\u{1b}]8;;http://x\u{7}", "\\u{1b}]8;;http://x\\u{7}"), ("\u{1b}", "\\u{1b}"),
            ("\u{1b}[38;5;1;2;3m", "\\u{1b}[38;5;1;2;3m"), ("a\tb\nc", "a\tb\nc"), ("a\rb", "a\\u{d}b"),
        ]
    )
    func colours(text: String, expected: String) {
        #expect(TerminalText.page(text, keepingColours: true) == expected)
        #expect(!TerminalText.page(text, keepingColours: false).contains("\u{1b}"))
    }

    @Test("an excerpt is one line in quotation marks, and says that it was cut")
    func excerpts() {
        #expect(TerminalText.quoted("a\nb") == "“a\\u{a}b”")
        #expect(TerminalText.quoted("abcdef", longest: 3) == "“abc…”")
        #expect(TerminalText.quoted("abc"[...], longest: 3) == "“abc”")
    }

    @Test("a Markdown cell stays one cell in one line", arguments: hostile)
    func markdown(text: String) {
        let cell = MarkdownText.escape(text)
        #expect(cell.unicodeScalars.allSatisfy { !$0.isUnseen }, "\(cell.debugDescription)")
        // A bar, a bracket and a tick count only behind no backslash.
        let bare = cell.unicodeScalars.reduce(into: (text: "", isEscaped: false)) { state, scalar in
            if !state.isEscaped, scalar != "\\" { state.text.unicodeScalars.append(scalar) }
            state.isEscaped = scalar == "\\" && !state.isEscaped
        }.text
        #expect(bare.unicodeScalars.allSatisfy { !"|[]`*_<>@".unicodeScalars.contains($0) }, "\(cell)")
    }

    @Test("a cell that a spreadsheet would run is text")
    func formulas() {
        #expect(CSVText.line(["=1+1", "@a", "-2", "b,c", "＝1"]) == "'=1+1,'@a,'-2,\"b,c\",'＝1")
        #expect(
            CSVText.line(["a\nb", "c\rd", "\ne", "f\r\ng"])
                == "\"a\nb\",c\\u{d}d,\"'\ne\",\"f\r\ng\""
        )
        // A mark behind a comma, a quote and a sign of equality makes other Characters of them.
        #expect(
            CSVText.line(["a,\u{301}b", "=\u{338}c", "\"\u{301}"]).unicodeScalars.elementsEqual(
                "\"a,\u{301}b\",'=\u{338}c,\"\"\"\u{301}\"".unicodeScalars
            )
        )
    }

    @Test(
        "parsers of Python read JSON, CSV, XML and property lists as they were meant",
        .enabled(if: Executable.find("python3") != nil, "python3 is missing")
    )
    func parsers() async throws {
        let directory = try TemporaryDirectory()
        var json = JSONText()
        json.array { json in
            for text in Self.hostile { json.string(text) }
        }
        try directory.write(json.bytes, to: "own.json")
        try directory.write(JSONText.encoding(Self.hostile, isSorted: true), to: "other.json")
        try directory.write(Self.hostile.map { CSVText.line([$0, "end"]) + "\r\n" }.joined(), to: "a.csv")
        let elements = Self.hostile.map {
            "<e a=\"\(MarkupText.attribute($0))\">\(MarkupText.escape($0))</e>"
        }
        try directory.write("<r>\(elements.joined())</r>", to: "a.xml")
        let strings = Self.hostile.map { "<string>\(MarkupText.escape($0))</string>" }
        try directory.write(
            "<plist version=\"1.0\"><array>\(strings.joined())</array></plist>",
            to: "a.plist"
        )
        let originals = Self.hostile.map { text in
            text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        try directory.write(originals.joined(separator: "\n"), to: "originals")
        let result = try await ProcessRunner.run(
            Invocation(
                try #require(Executable.find("python3")),
                ["-c", Self.script],
                directory: directory.path
            )
        )
        #expect(result.isSuccess && result.text == "\(Self.hostile.count)\n", "\(result)")
    }

    private static let script = """
        import csv, json, plistlib, unicodedata
        import xml.etree.ElementTree as tree
        texts = [bytes.fromhex(line).decode() for line in open("originals").read().split("\\n")]
        for name in ("own.json", "other.json"):
            source = open(name, encoding="utf-8", newline="").read()
            assert json.loads(source) == texts, name
            assert not [c for c in source if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")], name
        rows = list(csv.reader(open("a.csv", encoding="utf-8", newline="")))
        assert len(rows) == len(texts), len(rows)
        for row, text in zip(rows, texts):
            assert len(row) == 2 and row[1] == "end", row
            cell = row[0]
            assert not [c for c in cell if c not in "\\r\\n\\t" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")], row
            assert unicodedata.normalize("NFKC", cell.strip())[:1] not in tuple("=+-@"), row
        plain = lambda text: all(unicodedata.category(c) != "Cc" or c in "\\t\\n" for c in text)
        elements = list(tree.parse("a.xml").getroot())
        assert [e.tag for e in elements] == ["e"] * len(texts) and not [e for e in elements if len(e)]
        values = plistlib.load(open("a.plist", "rb"))
        assert len(values) == len(texts)
        for element, value, text in zip(elements, values, texts):
            assert list(element.attrib) == ["a"]
            if plain(text):
                assert (element.text or "") == text == element.get("a") == value, (element.text, value, text)
        print(len(texts))
        """

    @Test(
        "a Swift compiler reads literals and comments as such",
        .enabled(if: Executable.find("swiftc") != nil, "swiftc is missing")
    )
    func swift() async throws {
        let directory = try TemporaryDirectory()
        var source = "let texts: [String] = [\n"
        for text in Self.hostile { source += "    \(SwiftText.literal(text)),  \(SwiftText.comment(text))\n" }
        source += "]\n"
        #expect(source.unicodeScalars.allSatisfy { !$0.isUnseen || $0 == "\n" })
        try directory.write(source, to: "a.swift")
        let tree = try await ProcessRunner.run(
            Invocation(
                try #require(Executable.find("swiftc")),
                ["-dump-parse", "a.swift"],
                directory: directory.path
            )
        )
        #expect(tree.isSuccess, "\(tree)")
        // One declaration, all of whose elements are plain literals: nothing became code. Compilers list it once or twice.
        let literals = tree.text.ranges(of: "(string_literal_expr").count
        #expect(literals > 0 && literals.isMultiple(of: Self.hostile.count), "\(tree)")
        for word in ["call_expr", "interpolated_string_literal_expr", "unresolved_decl_ref_expr"] {
            #expect(!tree.text.contains(word), "\(word): \(tree)")
        }
    }

    @Test(
        "a shell reads a word as it was",
        arguments: hostile.filter { !$0.contains("\u{0}") }
    )
    func shell(text: String) async throws {
        let word = ShellWord.word(text.utf8)
        #expect(word.unicodeScalars.allSatisfy { !$0.isUnseen || $0 == "\n" || $0 == "\t" }, "\(word)")
        let result = try await ProcessRunner.run(Invocation("sh", ["-c", "printf %s. \(word)"]))
        #expect(result.output == Array((text + ".").utf8), "\(word)")
    }
}
