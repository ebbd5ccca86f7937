import Testing

@testable import PinholeCommand

@Suite("TextLayout")
struct TextLayoutTests {
    @Test(
        "a long line is wrapped at spaces, and its pieces stand below its text",
        arguments: [
            ("host      one two three four", "host      one two\n          three four"),
            ("  a sentence that is long for it", "  a sentence that is\n    long for it"),
            ("pin  sha256/AAAAAAAAAAAAAAAAAAAAAAAAA", "pin  sha256/AAAAAAAAAAAAAAAAAAAAAAAAA"),
            ("one line\nand a second one that is long", "one line\nand a second one\n  that is long"),
        ]
    )
    func hanging(text: String, expected: String) {
        #expect(TextLayout.hanging(text, 20) == expected, "\(TextLayout.hanging(text, 20))")
        #expect(TextLayout.hanging(text, nil) == text)
    }

    @Test("a command stays in one piece, since people copy it")
    func commands() {
        let message = "pinhole: to remove it: pinhole ca uninstall --yes"
        #expect(TextLayout.hanging(message, 40) == "pinhole: to remove it:\n  pinhole ca uninstall --yes")
        #expect(
            TextLayout.hanging("recorded in a (pinhole flows list) and b", 25)
                == "recorded in a\n  (pinhole flows list)\n  and b"
        )
    }

    @Test("colours take no columns, and the spaces between columns stay")
    func colours() {
        let style = Style(isColourful: true)
        let line = style.paint("name".padded(to: 8), .faint) + "value"
        #expect(TextLayout.columns(of: line) == 13 && TextLayout.hanging(line, 13) == line)
        #expect(TextLayout.labelWidth(of: line) == 8)
        let long = TextLayout.hanging("\(line) and more", 14)
        #expect(long == "\(line)\n       and\n       more", "\(long)")
        #expect(TextLayout.hanging("a   b  cccc dddd eeee", 16) == "a   b  cccc dddd\n    eeee")
    }

    @Test("a wide terminal gets a list in columns, a narrow one or a pipe in one")
    func sideBySide() {
        let lines = ["one", "two", "three", "four", "five"]
        #expect(TextLayout.sideBySide(lines, nil) == lines)
        #expect(TextLayout.sideBySide(lines, 11) == lines)
        #expect(TextLayout.sideBySide(lines, 12) == ["one    four", "two    five", "three"])
        #expect(TextLayout.sideBySide([], 80) == [])
    }
}
