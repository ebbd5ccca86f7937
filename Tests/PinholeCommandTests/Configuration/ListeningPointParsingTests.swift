import PinholeModel
import PinholeProxy
import PinholeRuntime
import Testing

@testable import PinholeSession

@Suite("ListeningPoint, parsing")
struct ListeningPointParsingTests {
    @Test(
        "reads a mode and an address, and writes them again",
        arguments: [
            ("127.0.0.1:8080", ""), ("transparent@127.0.0.1:7070", ", for connections that are redirected"),
            ("tproxy@[::1]:7070", ", for connections that come by TPROXY"),
            ("reverse:https://a.test@127.0.0.1:1", ", before https://a.test"),
            ("reverse:h2c://a.test:50051@127.0.0.1:1", ", before h2c://a.test:50051"),
            ("reverse:tcp://a.test:143@127.0.0.1:1", ", before tcp://a.test:143"),
            ("reverse:tcp://[::1]:143@127.0.0.1:1", ", before tcp://[::1]:143"),
            ("reverse-keep-host:http://a.test:81@[::]:2", ", before http://a.test:81"),
        ]
    )
    func reads(text: String, purpose: String) throws {
        let point = try ListeningPoint(text)
        #expect(point.description == text)
        #expect(point.mode.purpose == purpose)
    }

    @Test("a port alone is one of loopback", arguments: ["", "transparent@", "reverse:https://a.test@"])
    func port(mode: String) throws {
        #expect(try ListeningPoint("\(mode)7070").description == "\(mode)127.0.0.1:7070")
    }

    @Test(
        "refuses other modes, and modes without an address",
        arguments: [
            "transparent", "transparent@", "transparent@localhost", "Transparent@127.0.0.1:1",
            "tproxy:127.0.0.1:1",
            "reverse@127.0.0.1:1", "socks@127.0.0.1:1", "reverse:ftp://a.test@127.0.0.1:1",
            "reverse:tcp://a.test@127.0.0.1:1", "reverse:tcp://a.test:1/x@127.0.0.1:1",
            "reverse:tcp://:1@127.0.0.1:1",
            "reverse-keep-host:tcp://a.test:1@127.0.0.1:1",
        ]
    )
    func refuses(text: String) {
        #expect(throws: AddressFailure.self) { try ListeningPoint(text) }
    }
}
