import PinholeModel
import Testing

@Suite("JSONReader")
struct JSONReaderTests {
    private func read(_ text: String) throws(DocumentFailure) -> JSONValue {
        try JSONValue(parsing: Array(text.utf8))
    }

    @Test(
        "reads every kind of value",
        arguments: [
            ("null", JSONValue.null), (" true ", .boolean(true)), ("false", .boolean(false)),
            ("0", .integer(0)), ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)),
            ("999999999999999999", .integer(999_999_999_999_999_999)),
            ("9999999999999999999", .number(1e19)), ("0.5", .number(0.5)), ("7e0", .number(7)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5e2", .number(150)),
            ("1E-1", .number(0.1)), (#""""#, .string("")),
            (#""a\"\\\/\b\f\n\r\tä""#, .string("a\"\\/\u{8}\u{c}\n\r\tä")),
            (#""\u00e4\uD83D\ude00""#, .string("ä😀")), ("[]", .array([])), ("{}", .object([:])),
            ("[1,[2] , {}]", .array([.integer(1), .array([.integer(2)]), .object([:])])),
            ("\u{feff}{\"a\" : [true]}\n", .object(["a": .array([.boolean(true)])])),
        ]
    )
    func values(_ text: String, _ expected: JSONValue) throws {
        #expect(try read(text) == expected)
    }

    @Test(
        "names the place at which JSON is invalid, and the expected token",
        arguments: [
            ("", "nothing"), (" \n", "nothing"),
            ("{\"a\": 1,}", "“}” in line 1, column 9, where a name in quotes should be"),
            ("[1,]", "“]” in line 1, column 4, where a value should be"),
            ("[1 2]", "“2]” in line 1, column 4, where “,” or “]” should be"),
            ("{\n  // no\n}", "“//” in line 2, column 3, where a name in quotes should be"),
            ("{\"a\" 1}", "where “:” should be"), ("{} {}", "where the end should be"),
            ("01", "where the end should be"), ("1.", "where a digit should be"),
            ("-", "where a digit should be"),
            ("1e999", "a number that fits"), ("nul", "“nul” in line 1, column 1"),
            ("\"a", "where a closing quote should be"), ("\"\\x\"", "an escape of RFC 8259 §7"),
            ("\"\\ud83d\"", "half of one"), ("\"\\udead\"", "half of one"),
            ("\"\\u00g0\"", "four hexadecimal digits"),
            ("\"a\nb\"", "a control character"), ("{\"a\": 1, \"a\": 2}", "“a” again in line 1, column 10"),
        ]
    )
    func failures(_ text: String, _ expected: String) {
        let failure = #expect(throws: DocumentFailure.self) { try read(text) }
        #expect(failure?.found.contains(expected) == true, "\(failure?.description ?? "")")
    }

    @Test("refuses invalid UTF-8, and unbounded nesting")
    func bounds() {
        #expect(throws: DocumentFailure.self) { try JSONValue(parsing: [0x22, 0xff, 0x22]) }
        #expect(throws: DocumentFailure.self) { try read(String(repeating: "[", count: 1_000_000)) }
        #expect(throws: Never.self) {
            try read(String(repeating: "[", count: 64) + String(repeating: "]", count: 64))
        }
    }

    @Test(
        "hands out a member of the outermost object as it is written",
        arguments: [
            (#"{"id": 12345678901234567890, "a": 1}"#, "12345678901234567890"), (#"{"id":1.50}"#, "1.50"),
            (#"{"a": {"id": 1}, "id" : {"z": [1, "\u000a"]} }"#, #"{"z": [1, "\u000a"]}"#),
            (#"{"id": null}"#, "null"), (#"{"a": {"id": 1}}"#, nil), (#"[{"id": 1}]"#, nil), ("7", nil),
        ] as [(String, String?)]
    )
    func quoting(_ text: String, _ expected: String?) throws {
        let found = try JSONValue.parse(Array(text.utf8), quoting: "id")
        #expect(found.quoted.map { String(decoding: $0, as: UTF8.self) } == expected)
        #expect(found.value == (try read(text)))
    }
}
