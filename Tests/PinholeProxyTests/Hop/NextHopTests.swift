import PinholeModel
import Testing

@testable import PinholeProxy

@Suite("NextHop")
struct NextHopTests {
    @Test("reads URLs with and without credentials, and shows none")
    func parsing() throws {
        let plain = try NextHop("http://proxy.corp:3128")
        #expect(plain.kind == .http && plain.authority.description == "proxy.corp:3128" && plain.user == nil)
        #expect(plain.authorization == nil)
        let full = try NextHop("HTTPS://me:p%40ss%3A%25@[2001:db8::1]:443/")
        #expect(full.kind == .https && full.user == "me" && full.password == "p@ss:%")
        #expect(full.description == "https://[2001:db8::1]:443")
        #expect(full.authorization == "Basic bWU6cEBzczol")
        #expect(try NextHop("socks5h://127.0.0.1").description == "socks5://127.0.0.1:1080")
        #expect(try NextHop("http://a:b@c@proxy:1").password == "b@c")
    }

    @Test(
        "refuses an invalid URL of a proxy, without repeating it",
        arguments: [
            "proxy:3128", "ftp://proxy:1", "http://:secret@proxy:1", "http://secret@",
            "http://u:secret@proxy",
            "http://u:secret@proxy:0", "http://u:%zzsecret@proxy:1", "socks4://secret:1", "http://", "",
            "http://u:secret@proxy:3128/path", "http://u:secret@pro xy:1",
        ]
    )
    func malformed(text: String) {
        let error = #expect(throws: AddressFailure.self) { try NextHop(text) }
        #expect(error?.description.contains("secret") == false)
    }
}
