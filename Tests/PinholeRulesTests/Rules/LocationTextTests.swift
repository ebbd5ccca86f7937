import Testing

@testable import PinholeRules

@Suite("LocationText")
struct LocationTextTests {
    @Test(
        "writes valid URLs, and nothing without a host",
        arguments: [
            ("https://a.test/x?y#z", "https://a.test/x?y#z"), ("/x", "/x"), ("?q", "?q"),
            ("//b.test:8443/", "//b.test:8443/"),
            ("/é\"", "/%C3%A9%22"), ("myapp://open", "myapp://open"), ("/a%20b", "/a%20b"),
            ("https:///x", nil), ("https:x", nil), ("https://a\"<>b/", nil), ("//", nil), ("", nil),
            ("/a b", nil),
            ("/a\r\nb", nil), ("https://a:0/", nil),
        ] as [(String, String?)]
    )
    func written(text: String, expected: String?) {
        #expect(LocationText.written(Array(text.utf8)) == expected)
    }
}
