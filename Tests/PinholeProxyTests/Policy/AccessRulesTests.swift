import PinholeModel
import Testing

@testable import PinholeProxy

@Suite("AccessRules")
struct AccessRulesTests {
    private let local = IPAddress("127.0.0.1")

    @Test("accepts every client without rules")
    func open() throws {
        #expect(AccessRules().verdict(on: try #require(local), authorization: nil) == .admitted(user: nil))
        // A login that nobody asked for is nobody's word.
        let login = "Basic YWxhZGRpbjpvcGVuc2VzYW1l"
        #expect(AccessRules().verdict(on: try #require(local), authorization: login) == .admitted(user: nil))
    }

    @Test("asks for the credentials, and compares all of them")
    func credentials() throws {
        let rules = AccessRules(credentials: "aladdin:opensesame")
        let client = try #require(local)
        #expect(rules.verdict(on: client, authorization: nil) == .refused(.credentials))
        for scheme in ["Basic", "basic"] {
            let verdict = rules.verdict(on: client, authorization: "\(scheme) YWxhZGRpbjpvcGVuc2VzYW1l")
            #expect(verdict == .admitted(user: "aladdin"))
        }
        #expect(
            rules.verdict(on: client, authorization: "Basic YWxhZGRpbjpvcGVuc2VzYW1m")
                == .refused(.credentials)
        )
        #expect(rules.verdict(on: client, authorization: "Basic YWxh") == .refused(.credentials))
        #expect(rules.verdict(on: client, authorization: "Basic ") == .refused(.credentials))
        #expect(
            rules.verdict(on: client, authorization: "Bearer YWxhZGRpbjpvcGVuc2VzYW1l")
                == .refused(.credentials)
        )
    }

    @Test("accepts logins from the credentials and the cache, and has others verified")
    func users() throws {
        let book = try UserDirectory(Array("anna:{SHA}piGucRdTwGb7+i3S1svNik60+fw=".utf8))
        let rules = AccessRules(
            clients: [try AddressRange("127.0.0.0/8")],
            credentials: "aladdin:opensesame",
            users: book
        )
        let client = try #require(local)
        let login = Login(user: Array("anna".utf8), password: Array("open-sesame".utf8))
        let value = "Basic \(Base64.encode(login.pair))"
        let known = rules.verdict(on: client, authorization: "Basic YWxhZGRpbjpvcGVuc2VzYW1l")
        #expect(known == .admitted(user: "aladdin"))
        let check = LoginCheck(login: login, users: book, client: client)
        #expect(rules.verdict(on: client, authorization: value) == .unverified(check))
        #expect(book.verify(login))
        #expect(rules.verdict(on: client, authorization: value) == .admitted(user: "anna"))
        #expect(rules.verdict(on: client, authorization: nil) == .refused(.credentials))
        let stranger = try #require(IPAddress("192.0.2.1"))
        #expect(rules.verdict(on: stranger, authorization: value) == .refused(.address))
    }

    @Test("knows networks of both families")
    func networks() throws {
        let rules = AccessRules(clients: [try AddressRange("192.168.0.0/16"), try AddressRange("fd00::/8")])
        for (text, isIn) in [
            ("192.168.7.1", true), ("192.169.0.1", false), ("fd12::1", true), ("fe80::1", false),
            ("::ffff:192.168.1.1", true),
        ] {
            let client = try #require(IPAddress(text))
            #expect(
                (rules.verdict(on: client, authorization: nil) == .admitted(user: nil)) == isIn,
                "\(text)"
            )
        }
    }

    @Test(
        "refuses an invalid network",
        arguments: ["", "a", "1.2.3.4/33", "::1/129", "1.2.3.4/-1", "1.2.3/8"]
    )
    func malformed(text: String) {
        #expect(throws: AddressFailure.self) { try AddressRange(text) }
    }
}
