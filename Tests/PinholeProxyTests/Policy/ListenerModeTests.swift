import PinholeModel
import Testing

@testable import PinholeProxy

@Suite("ListenerMode")
struct ListenerModeTests {
    @Test(
        "an origin is a URL without a path",
        arguments: [
            ("https://a.test", "https://a.test", 443), ("http://a.test:81/", "http://a.test:81", 81),
            ("HTTPS://[::1]:8443", "https://[::1]:8443", 8443), ("h2c://a.test", "h2c://a.test", 80),
            ("H2C://a.test:81/", "h2c://a.test:81", 81),
        ] as [(String, String, UInt16)]
    )
    func origins(text: String, description: String, port: UInt16) throws {
        let origin = try ReverseOrigin(text)
        #expect(origin.description == description)
        #expect(origin.authority.port == port)
        #expect((origin.target(["h2"], mayReuse: true).serverName != nil) == (origin.scheme == .https))
        #expect(origin.speaksHTTP2 == description.hasPrefix("h2c"))
    }

    @Test(
        "invalid values are refused",
        arguments: [
            "a.test", "ftp://a.test", "h2://a.test", "https://", "https://a.test/path", "https://a b",
            "https:a.test",
        ]
    )
    func noOrigins(text: String) {
        #expect(throws: AddressFailure.self) { try ReverseOrigin(text) }
    }

    @Test(
        "a port of a server is another thing than an origin, and is written with its port",
        arguments: [("tcp://a.test:143", "tcp://a.test:143"), ("TCP://[::1]:1", "tcp://[::1]:1")]
    )
    func ports(text: String, written: String) throws {
        let mode = try ListenerMode(before: text, keepsHost: false)
        #expect(mode.server == written && mode.origin == nil && mode.forwarded != nil)
        #expect(throws: AddressFailure.self) { try ListenerMode(before: text, keepsHost: true) }
    }

    @Test("an option without either value names both, and keeping Host is for origins only")
    func told() {
        for keepsHost in [false, true] {
            let failure = #expect(throws: AddressFailure.self) {
                try ListenerMode(before: "ftp://a.test", keepsHost: keepsHost)
            }
            #expect(failure?.expected.contains("h2c://HOST") == true)
            #expect(failure?.expected.contains("tcp://HOST:PORT") == !keepsHost)
        }
        #expect(throws: AddressFailure.self) { try ListenerMode(before: "tcp://a.test", keepsHost: false) }
    }
}
