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
        ]
    )
    func conversion(_ text: String, _ expected: String) {
        #expect(InternationalName.ascii(text) == expected)
    }
}
