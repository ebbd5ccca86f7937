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

    @Test(
        "a line breaks beside a command and never inside it",
        arguments: [
            ("the CA is gone once pinhole ca uninstall --yes removes it", "pinhole ca uninstall --yes"),
            ("text before pinhole lab list A09 tells a scenario in words", "pinhole lab list A09"),
            ("to read it: rm -r /var/lib/captures and then start again", "rm -r /var/lib/captures"),
            ("here “pinhole proxy” has to run before anything else does", "“pinhole proxy”"),
            ("this is used by pinhole proxy and pinhole run alike here", "pinhole proxy"),
            ("please run pinhole in a desktop session of your own user", "pinhole"),
            (
                "start it with pinhole browser --browser firefox in a session",
                "pinhole browser --browser firefox"
            ),
            (
                "such as: pinhole run -- curl -s https://example.com/ (or else)",
                "pinhole run -- curl -s https://example.com/"
            ),
            ("the pages are listed by pinhole help lab in every terminal", "pinhole help lab"),
        ]
    )
    func commandAlone(text: String, command: String) {
        // A line of one column has a piece in each line.
        let pieces = TextLayout.hanging(text, 1, hang: 0).split(separator: "\n").map(String.init)
        #expect(pieces.contains(command), "\(pieces)")
        #expect(pieces.joined(separator: " ") == text)
    }

    @Test("wide characters take two columns, and marks none")
    func wide() {
        #expect(TextLayout.fit("日本", 6) + "|" == "日本  |")
        #expect(TextLayout.fit("日本", 6, right: true) == "  日本")
        // Half of a character cannot be shown.
        #expect(TextLayout.fit("日本語", 4) == "日… ")
        #expect(TextLayout.middle("/日本語/日本語/日本語", 12) == "/日本語/…語")
        #expect(TextLayout.wrap("日本語 日本語", 7) == ["日本語", "日本語"])
        #expect(TextLayout.wrap("日本語日本語", 5) == ["日本", "語日", "本語"])
        #expect(TextLayout.wrap("日本", 1) == ["日", "本"])
        #expect("e\u{301}".padded(to: 3) == "e\u{301}  " && "日".leftPadded(to: 3) == " 日")
        #expect(TextLayout.sideBySide(["日本", "a", "b"], 11) == ["日本  b", "a"])
        #expect(TextLayout.hanging("ab  日本 日本", 9) == "ab  日本\n    日本")
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
