import PinholeModel
import PinholeProxy
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("NextHopChoice")
struct NextHopChoiceTests {
    @Test("is a proxy, or the environment's choice")
    func parsing() throws {
        let variables = ["https_proxy": "http://s:1", "no_proxy": "a.test"]
        let named = try NextHopChoice("socks5://p:1", variables)
        let hop = try NextHop("socks5://p:1")
        #expect(named == .named(hop))
        #expect(named.proxies.map(\.variable) == [nil] && named.bypassVariable == nil)
        let found = try NextHopChoice("environment", variables)
        let environment = try ProxyEnvironment(variables)
        #expect(found == .environment(environment))
        #expect(found.proxies.map(\.variable) == ["https_proxy"] && found.bypassVariable == "no_proxy")
        let failure = #expect(throws: AddressFailure.self) { try NextHopChoice("Environment", variables) }
        #expect(failure?.expected.hasSuffix("or “environment”") == true)
    }

    @Test("exceptions of the configuration count beside the environment's")
    func exceptions() throws {
        var upstream = Configuration.Upstream()
        upstream.proxy = try NextHopChoice("environment", ["all_proxy": "http://s:1", "no_proxy": "a.test"])
        upstream.bypass = [try NextHops.Bypass("b.test")]
        for (target, isDirect) in [("a.test:443", true), ("b.test:443", true), ("c.test:443", false)] {
            #expect((upstream.hops.hop(for: try Authority(target)) == nil) == isDirect, "\(target)")
        }
    }
}
