import Testing

@testable import PinholeCommand

@Suite("A text that is scrolled and searched")
struct PagedTextTests {
    private static func text(_ lines: [String], width: Int = 20, height: Int = 3) -> PagedText {
        var text = PagedText()
        text.resize(width: width, height: height)
        text.replace(with: lines.map { StyledLine($0) })
        return text
    }

    private static func shown(_ text: PagedText) -> [String] { text.shown.map(\.text) }

    @Test("the text scrolls to its ends and no further")
    func scroll() {
        var text = Self.text(["1", "2", "3", "4", "5"])
        text.scroll(by: -4)
        #expect(Self.shown(text) == ["1", "2", "3"])
        text.scroll(by: 99)
        #expect(Self.shown(text) == ["3", "4", "5"] && text.isAtEnd)
        text.replace(with: [StyledLine("only")])
        #expect(Self.shown(text) == ["only"])
    }

    @Test("a search wraps around, ignores case, and crosses the pieces of a long line")
    func search() {
        var text = Self.text(["a", "b", "c", "Needle here", "d", "e", "xxxxxxxxxxxxxxxxxxneedle"])
        text.search("needle")
        #expect(text.position?.number == 1 && text.position?.count == 2)
        #expect(Self.shown(text).contains("Needle here"))
        text.step(1)
        #expect(text.position?.number == 2)
        #expect(Self.shown(text).contains { $0.hasSuffix("ne") })
        let marked = text.shown.flatMap(\.elements).filter(\.style.isReversed).map(\.character)
        #expect(String(marked).contains("needle"))
        text.step(1)
        #expect(text.position?.number == 1)
        text.search("nothing")
        #expect(text.position == nil)
    }

    @Test("another width keeps the place")
    func resize() {
        var text = Self.text((0..<20).map { "line \($0) with a few words" }, width: 40)
        text.scroll(to: 10)
        text.resize(width: 12, height: 3)
        #expect(Self.shown(text).first?.hasPrefix("line 10") == true)
    }
}
