import Testing

@testable import PinholeCommand

@Suite("A line that is edited")
struct LineEditorTests {
    private static func edited(_ text: String, _ keys: Key...) -> LineEditor {
        var editor = LineEditor(text)
        for key in keys { _ = editor.take(key) }
        return editor
    }

    @Test("keys insert, delete and move")
    func keys() {
        #expect(Self.edited("ab", .character("c")).text == "abc")
        #expect(Self.edited("abc", .left, .left, .character("x"), .delete).text == "axc")
        #expect(Self.edited("abc", .home, .backspace, .delete).text == "bc")
        #expect(Self.edited("one two ", .control("w")).text == "one ")
        #expect(Self.edited("one two", .left, .control("u")).text == "o")
        #expect(Self.edited("one", .home, .control("k")).text == "")
        #expect(Self.edited("", .pasted("a\nb\u{1b}")).text == "ab")
        #expect(Self.edited("ab", .up, .tab, .control("x")).text == "ab")
    }

    @Test("a long text is shown around the cursor")
    func window() {
        let editor = LineEditor("0123456789")
        #expect(editor.window(5) == ("6789", 4))
        #expect(Self.edited("0123456789", .home).window(5) == ("01234", 0))
    }
}
