import Testing

@testable import PinholeRuntime

@Suite("InternationalName")
struct InternationalNameTests {
    @Test(
        "turns labels that are not ASCII into A-labels, and leaves the rest",
        arguments: [
            ("example.com", "example.com"),
            ("bücher.example:443", "xn--bcher-kva.example:443"),
            ("*.bücher.example", "*.xn--bcher-kva.example"),
            ("!*.日本語.example", "!*.xn--wgv71a119e.example"),
            ("!bücher.example", "!xn--bcher-kva.example"),
            ("[::1]:443", "[::1]:443"),
            ("BÜCHER", "xn--bcher-kva"),
            ("bu\u{308}cher", "xn--bcher-kva"),
            ("straße.example", "xn--strae-oqa.example"),
            ("ΒΌΛΟΣ", "xn--nxasmq6b"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
            ("ｅｘａｍｐｌｅ．ｃｏｍ：４４３", "example.com:443"),
            ("☕.example", "xn--53h.example"),
            ("हिन्दी.example", "xn--j2bd4cyah0f.example"),
        ]
    )
    func conversion(_ text: String, _ expected: String) {
        #expect(InternationalName.ascii(text) == expected)
    }

    @Test(
        "leaves a label that has no A-label to the parser, which refuses it",
        arguments: [
            "*bü.example", "\u{212a}.example", "ﬁ.example", "a\u{200d}b.example", "\u{301}a.example", "ü b",
            "xn--ü",
            String(repeating: "ü", count: 70), String(repeating: "\u{10ffff}", count: 5000),
        ]
    )
    func withoutALabel(_ text: String) {
        #expect(InternationalName.ascii(text) == text)
    }
}
