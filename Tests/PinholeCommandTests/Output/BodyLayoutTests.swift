import PinholeTestKit
import Testing

@testable import PinholeCommand

@Suite("Bodies on the screen of pinhole top")
struct BodyLayoutTests {
    private static func lines(_ text: String, _ type: String, isWhole: Bool = true) -> [String] {
        BodyLayout.lines(Array(text.utf8), type: type, isWhole: isWhole).map(\.text)
    }

    @Test("JSON keeps its numbers, escapes and the order of its members")
    func json() {
        let text = #"{"b":1.50,"a":[1,{"x":null}],"e":{},"s":"a\"b, {c}"}"#
        #expect(
            Self.lines(text, "application/json") == [
                "{", #"  "b": 1.50,"#, #"  "a": ["#, "    1,", "    {", #"      "x": null"#, "    }", "  ],",
                #"  "e": {},"#, #"  "s": "a\"b, {c}""#, "}",
            ]
        )
    }

    @Test("JSON that is cut off is laid out as far as it came; text that only looks like it stays")
    func cut() {
        #expect(Self.lines(#"{"a":{"b":"c"#, "application/json", isWhole: false).count == 3)
        #expect(Self.lines("{not json}\nsecond", "text/plain") == ["{not json}", "second"])
        #expect(Self.lines("{not json}", "application/json") == ["{not json}"])
    }

    @Test("forms are pairs, text has its lines, bytes are digits")
    func others() {
        #expect(Self.lines("a=b+c&d=%C3%A9", "application/x-www-form-urlencoded") == ["a = b c", "d = é"])
        #expect(Self.lines("a\r\n\tb", "text/plain") == ["a", "    b"])
        let bytes = BodyLayout.lines([0, 0x41, 0xff], type: "", isWhole: true).map(\.text)
        #expect(bytes.count == 1 && bytes[0].hasPrefix("     0  00 41 ff ") && bytes[0].hasSuffix("  .A."))
        let forced = BodyLayout.lines(
            Array("{}".utf8),
            type: "application/json",
            isWhole: true,
            asBytes: true
        )
        #expect(forced.map(\.text).first?.contains("7b 7d") == true)
    }

    @Test("XML is indented, and a short text stays beside its element")
    func xml() {
        let text = "<?xml version=\"1.0\"?><a b='c'><d>one</d><e/><f></f><g><h> x\ny </h></g><!-- n --></a>"
        #expect(
            Self.lines(text, "text/xml") == [
                "<?xml version=\"1.0\"?>", "<a b='c'>", "  <d>one</d>", "  <e/>", "  <f></f>", "  <g>",
                "    <h>",
                "      x", "      y", "    </h>", "  </g>", "  <!-- n -->", "</a>",
            ]
        )
        #expect(Self.lines("<a><b>1", "application/soap+xml", isWhole: false) == ["<a>", "  <b>", "    1"])
        #expect(Self.lines("<p>a<br>b", "text/html") == ["<p>a<br>b"])
    }

    @Test("multipart has its parts, each with its header and its content by its type")
    func multipart() {
        let text =
            "preamble\r\n--x\r\nContent-Disposition: form-data; name=a\r\n\r\none\r\n--x\r\n"
            + "Content-Type: application/json\r\n\r\n{\"b\":1}\r\n--x--\r\nend"
        #expect(
            Self.lines(text, "multipart/form-data; boundary=\"x\"")
                == [
                    "part 1  3 B", "  Content-Disposition: form-data; name=a", "", "  one",
                    "part 2  7 B", "  Content-Type: application/json", "", "  {", "    \"b\": 1", "  }",
                ].map { $0 == "" ? "" : $0 }
        )
        #expect(Self.lines("no part", "multipart/mixed; boundary=x") == ["no part"])
        #expect(
            Self.lines("--x\r\n\r\nopen", "multipart/mixed; boundary=x") == ["part 1  4 B", "", "  open"]
        )
    }

    @Test("text is read in its declared encoding")
    func encoding() {
        let bytes: [UInt8] = [0x63, 0x61, 0x66, 0xe9]
        let lines = { (type: String) in BodyLayout.lines(bytes, type: type, isWhole: true).map(\.text) }
        #expect(lines("text/plain; charset=latin1") == ["café"])
        #expect(lines("application/octet-stream").first?.contains("63 61 66 e9") == true)
    }

    @Test("colours are escapes only for a terminal")
    func colours() {
        let lines = BodyLayout.lines(Array(#"{"a":1}"#.utf8), type: "application/json", isWhole: true)
        #expect(lines.map { $0.painted(.plain) } == ["{", #"  "a": 1"#, "}"])
        #expect(
            lines[1].painted(Style(isColourful: true)) == "  \u{1b}[34m\"a\"\u{1b}[0m: \u{1b}[36m1\u{1b}[0m"
        )
    }

    @Test("a character that is cut off at the end is left out of a part")
    func character() {
        let bytes = Array("aé".utf8).dropLast()
        #expect(BodyLayout.lines(Array(bytes), type: "text/plain", isWhole: false).map(\.text) == ["a"])
        let latin = { (type: String) in
            BodyLayout.lines([0x63, 0x61, 0x66, 0xe9], type: type, isWhole: true).map(\.text)
        }
        #expect(latin("text/plain") == ["café"] && latin("text/csv; charset=klingon") == ["café"])
        #expect(
            latin("text/plain; charset=utf-8") == ["caf\u{fffd}"]
                && latin("application/json") == ["caf\u{fffd}"]
        )
        #expect(latin("image/png") != ["café"])
    }

    @Test("any bytes make lines without control characters", arguments: 0..<60)
    func random(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes = (0..<300).map { _ in UInt8.random(in: 1...0x7f, using: &random) }
        if seed % 3 == 0 { bytes = Array("{[\"".utf8) + bytes }
        for type in [
            "application/json", "text/plain", "application/x-www-form-urlencoded", "application/protobuf",
        ] {
            for isWhole in [true, false] {
                for line in BodyLayout.lines(bytes, type: type, isWhole: isWhole) {
                    #expect(!line.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f })
                }
            }
        }
    }
}
