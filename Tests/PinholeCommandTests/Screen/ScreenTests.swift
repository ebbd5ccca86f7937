import PinholeTestKit
import Testing

@testable import PinholeCommand

@Suite("The screen of a terminal")
struct ScreenTests {
    private static func painter(isColourful: Bool = true, isUTF8: Bool = true) -> ScreenPainter {
        ScreenPainter(isColourful: isColourful, isUTF8: isUTF8)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("a line is cut at the edge, and a wide character is not halved")
    func edge() {
        var grid = ScreenGrid(width: 5, height: 2)
        grid.write("abcd你", row: 0)
        grid.write("你好吗", row: 1)
        grid.write("nowhere", row: 7)
        #expect(grid.lines == ["abcd", "你好"])
    }

    @Test("control characters become visible before they reach a cell")
    func control() {
        var grid = ScreenGrid(width: 40, height: 1)
        grid.write("a\u{1b}[2Jb\u{7}\u{202e}c\r\n", row: 0)
        #expect(grid.lines == [#"a\u{1b}[2Jb\u{7}\u{202e}c\u{d}\u{a}"#])
    }

    @Test("whatever the text is, only the painter's own sequences are written", arguments: 0..<100)
    func random(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes = (0..<200).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        var grid = ScreenGrid(width: 60, height: 4)
        for row in 0..<4 { grid.write(String(decoding: bytes[(row * 50)...], as: UTF8.self), row: row) }
        var painter = Self.painter()
        let written = Self.text(painter.paint(grid))
            .replacing(/\u{1b}\[(\?25[hl]|[0-9;]*[HmJ])/, with: "")
        #expect(!written.unicodeScalars.contains { $0.value < 0x20 || 0x7f...0x9f ~= $0.value })
    }

    @Test("only changed cells are painted again")
    func change() {
        var grid = ScreenGrid(width: 20, height: 3)
        grid.write("first", row: 0)
        grid.write("second", row: 1)
        var painter = Self.painter()
        #expect(Self.text(painter.paint(grid)).contains("first"))
        grid.write("s", row: 1, column: 3)
        let change = Self.text(painter.paint(grid))
        #expect(change.contains("\u{1b}[2;4Hs"))
        #expect(!change.contains("first") && !change.contains("econd"))
        painter.forget()
        #expect(Self.text(painter.paint(grid)).contains("first"))
    }

    @Test("without colours, only weight and reversal are written; without UTF-8, only ASCII")
    func plain() {
        var grid = ScreenGrid(width: 20, height: 1)
        grid.write("a…你é", CellStyle(colour: .red, isBold: true, isReversed: true), row: 0)
        var painter = Self.painter(isColourful: false, isUTF8: false)
        let text = Self.text(painter.paint(grid))
        #expect(text.contains("\u{1b}[0;1;7m") && !text.contains("31"))
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(text.contains("~") && text.contains("? "))
    }

    @Test("text of the clipboard is Base64, so it ends no sequence")
    func clipboard() {
        #expect(ScreenPainter.clipboard("a\u{7}b") == Array("\u{1b}]52;c;YQdi\u{7}".utf8))
    }

    @Test("long lines are wrapped behind a space, or else at the width")
    func wrap() {
        let words = StyledLine("one two three four").wrapped(9)
        #expect(words.map(\.line.text) == ["one two ", "three ", "four"])
        #expect(words.map(\.start) == [0, 8, 14])
        #expect(StyledLine("aaaaaaaaaa").wrapped(4).map(\.line.text) == ["aaaa", "aaaa", "aa"])
        #expect(StyledLine("你好吗").wrapped(4).map(\.line.text) == ["你好", "吗"])
        #expect(StyledLine("").wrapped(4).count == 1)
    }
}
