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

    @Test("a character that is cut off at the end is left out of a part")
    func character() {
        let bytes = Array("aé".utf8).dropLast()
        #expect(BodyLayout.lines(Array(bytes), type: "text/plain", isWhole: false).map(\.text) == ["a"])
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
