import Testing

@testable import PinholeClient

@Suite("ClientURL")
struct ClientURLTests {
    @Test(
        "reads the parts of a request",
        arguments: [
            ("https://example.com", "https://example.com/"),
            ("HTTPS://Example.COM:443/a?b=c#d", "https://example.com/a?b=c"),
            ("http://example.com:8080?x", "http://example.com:8080/?x"),
            ("https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443/"),
            ("https://user:p%40ss@example.com/", "https://example.com/"),
            ("https://example.com/ü", "https://example.com/%C3%BC"),
        ]
    )
    func reads(text: String, expected: String) throws {
        #expect(try ClientURL(text).description == expected)
    }

    @Test("decodes the name and the password")
    func userInfo() throws {
        let info = try #require(try ClientURL("https://al%3Aice:p%40s:s@example.com/").userInfo)
        #expect(info.user == "al:ice")
        #expect(info.password == "p@s:s")
        #expect(try ClientURL("https://alice@example.com/").userInfo?.password == "")
    }

    @Test(
        "refuses a URL that cannot be requested",
        arguments: [
            ("example.com", URLErrorCode.badURL), ("ftp://example.com/", .unsupportedURL),
            ("https:///path", .badURL), ("https://exa mple.com/", .badURL),
            ("https://example.com/a b", .badURL), ("https://example.com/\r\nX: y", .badURL),
            ("https://example.com:99999/", .badURL), ("https://%zz@example.com/", .badURL),
        ]
    )
    func refuses(text: String, code: URLErrorCode) {
        let failure = #expect(throws: ClientFailure.self) { try ClientURL(text) }
        #expect(failure?.code == code)
    }

    /// RFC 3986 §5.4, as far as http has a use for it.
    @Test(
        "resolves a Location",
        arguments: [
            ("g", "https://a.test/b/c/g"), ("./g", "https://a.test/b/c/g"), ("g/", "https://a.test/b/c/g/"),
            ("/g", "https://a.test/g"), ("//g.test", "https://g.test/"), ("?y", "https://a.test/b/c/d?y"),
            ("g?y", "https://a.test/b/c/g?y"), ("#s", "https://a.test/b/c/d?q"),
            ("", "https://a.test/b/c/d?q"), (".", "https://a.test/b/c/"), ("..", "https://a.test/b/"),
            ("../g", "https://a.test/b/g"), ("../../../g", "https://a.test/g"),
            ("g?y/../x", "https://a.test/b/c/g?y/../x"), ("http://h.test:81/x", "http://h.test:81/x"),
        ]
    )
    func resolves(location: String, expected: String) throws {
        let base = try ClientURL("https://u:p@a.test/b/c/d?q")
        let url = try base.resolving(location)
        #expect(url.description == expected)
        #expect(url.userInfo == nil)
    }

    @Test("tells origins apart by scheme, host and port")
    func origins() throws {
        let url = try ClientURL("https://a.test/x")
        #expect(url.isSameOrigin(as: try ClientURL("https://a.test:443/y")))
        for other in ["http://a.test/", "https://a.test:444/", "https://b.a.test/"] {
            #expect(!url.isSameOrigin(as: try ClientURL(other)))
        }
    }
}
