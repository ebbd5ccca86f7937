import PinholeModel
import Testing

@Suite("Escapes in texts of JSON")
struct JSONEscapeTests {
    @Test(
        "reads each escape with its length",
        arguments: [
            (#"\n"#, .scalar("\n", length: 2)), (#"\/x"#, .scalar("/", length: 2)),
            (#"\u00e9"#, .scalar("é", length: 6)), (#"\uD83D\uDE00!"#, .scalar("😀", length: 12)),
            (#"\ud83dx"#, .half(length: 6)), (#"\ude00\ud83d"#, .half(length: 6)),
            (#"\ud83d\u0041"#, .half(length: 6)), (#"\x41"#, nil), (#"\u00g0"#, nil), (#"\u+123"#, nil),
            (#"\u12"#, nil), ("\\", nil), ("", nil), ("n", nil),
        ] as [(String, JSONEscape?)]
    )
    func escapes(_ text: String, _ expected: JSONEscape?) {
        #expect(JSONEscape(Array(text.utf8)[...]) == expected)
    }
}
