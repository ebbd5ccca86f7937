import PinholeModel
import Testing

@testable import PinholeProxy

@Suite("AccessRules")
struct AccessRulesTests {
    private let local = IPAddress("127.0.0.1")

    @Test("lets everybody in without rules")
    func open() throws {
        #expect(AccessRules().refusal(of: try #require(local), authorization: nil) == nil)
    }

    @Test("asks for the credentials, and compares all of them")
    func credentials() throws {
        let rules = AccessRules(credentials: "aladdin:opensesame")
        let client = try #require(local)
        #expect(rules.refusal(of: client, authorization: nil) == .credentials)
        #expect(rules.refusal(of: client, authorization: "Basic YWxhZGRpbjpvcGVuc2VzYW1l") == nil)
        #expect(rules.refusal(of: client, authorization: "basic YWxhZGRpbjpvcGVuc2VzYW1l") == nil)
        #expect(rules.refusal(of: client, authorization: "Basic YWxhZGRpbjpvcGVuc2VzYW1m") == .credentials)
        #expect(rules.refusal(of: client, authorization: "Basic YWxh") == .credentials)
        #expect(rules.refusal(of: client, authorization: "Basic ") == .credentials)
        #expect(rules.refusal(of: client, authorization: "Bearer YWxhZGRpbjpvcGVuc2VzYW1l") == .credentials)
    }

    @Test("knows networks of both families")
    func networks() throws {
        let rules = AccessRules(clients: [try AddressRange("192.168.0.0/16"), try AddressRange("fd00::/8")])
        for (text, isIn) in [
            ("192.168.7.1", true), ("192.169.0.1", false), ("fd12::1", true), ("fe80::1", false),
            ("::ffff:192.168.1.1", true),
        ] {
            let client = try #require(IPAddress(text))
            #expect((rules.refusal(of: client, authorization: nil) == nil) == isIn, "\(text)")
        }
    }

    @Test(
        "refuses what is no network",
        arguments: ["", "a", "1.2.3.4/33", "::1/129", "1.2.3.4/-1", "1.2.3/8"]
    )
    func malformed(text: String) {
        #expect(throws: AddressFailure.self) { try AddressRange(text) }
    }
}
