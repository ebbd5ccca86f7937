import Testing

@testable import PinholeFilter

@Suite("Pattern parser")
struct PatternParserTests {
    @Test(
        "says where and why an expression is refused",
        arguments: [
            ("a(b", 1, "“)” for the “(” before it"), ("a)b", 1, "a “(” before this “)”"),
            ("*a", 0, "something to repeat before it"),
            ("a[b", 1, "“]” for the “[” before it"), ("a**", 2, "one count"), ("a++", 2, "one count"),
            ("(?=a)", 0, "a group “(…)” or “(?:…)”"),
            ("(?<!a)b", 0, "a group “(…)” or “(?:…)”"), ("(a)\\1", 3, "no back reference"),
            ("a\\", 1, "a character after the backslash"),
            ("\\q", 0, "a known escape"), ("[b-a]", 1, "a range from the lower to the higher character"),
            ("[ä-ö]", 1, "a range of ASCII characters"),
            ("[\\xff-\\x80]", 1, "a range from the lower to the higher character"),
            ("a{2,1}", 1, "the lower number first"),
            ("a{1001}", 1, "at most 1000 times"),
            ("\\x4", 0, "2 hexadecimal digits"), ("(?P<n", 5, "“>” after the name of the group"),
            ("(?x)a", 2, "the flags i, m or s"),
            ("[^é]", 0, "ASCII characters after “[^”"), ("{2}", 0, "something to repeat before it"),
        ]
    )
    func refused(_ pattern: String, _ offset: Int, _ expected: String) {
        let failure = #expect(throws: PatternFailure.self) { try Pattern(pattern) }
        #expect(failure?.expected == expected)
        #expect(failure?.offset == offset, "\(pattern)")
    }

    @Test("refuses groups that are too deep, and takes long ones")
    func depth() {
        let deep = { (count: Int) in
            String(repeating: "(", count: count) + String(repeating: ")", count: count)
        }
        #expect(throws: PatternFailure.self) { try Pattern(deep(PatternParser.depthLimit + 1)) }
        #expect(throws: Never.self) { try Pattern(deep(PatternParser.depthLimit)) }
        #expect(throws: Never.self) { try Pattern(String(repeating: "a|", count: 400)) }
    }
}
