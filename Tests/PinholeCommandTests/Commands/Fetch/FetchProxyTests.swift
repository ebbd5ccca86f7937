import PinholeClient
import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("FetchProxy")
struct FetchProxyTests {
    @Test(
        "is a host and a port, with or without a scheme and a name",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1:8080", nil), ("http://proxy.test:3128/", "proxy.test:3128", nil),
            ("http://a:b%40c@proxy.test:1", "proxy.test:1", "a b@c"), ("a@[::1]:8080", "[::1]:8080", "a "),
            ("https://proxy.test:8443", "proxy.test:8443", nil),
            ("HTTP://bücher.example:80", "xn--bcher-kva.example:80", nil),
        ] as [(String, String, String?)]
    )
    func proxies(text: String, authority: String, login: String?) throws {
        let proxy = try FetchProxy(text)
        #expect(proxy.authority.description == authority && proxy.isSecure == text.hasPrefix("https"))
        #expect(proxy.credential?.login.map { "\($0.user) \($0.password)" } == login)
    }

    @Test(
        "invalid values are refused with the expected form",
        arguments: [
            "garbage", "http://proxy.test", "ftp://proxy.test:8080", "socks5://proxy.test:1080", "a b:80",
            "proxy.test:0", "proxy.test:80/path", "", "http://", "%zz@proxy.test:80",
        ]
    )
    func noProxies(text: String) {
        let error = #expect(throws: (any Error).self) { try FetchProxy(text) }
        let message = error.map { "\($0)" } ?? ""
        #expect(message.contains("expected"), "\(message)")
    }
}
