import PinholeModel
import PinholeTrust
import Testing

@Suite("Hosts that scopes mean")
struct HostScopeTests {
    @Test(
        "returns a name in its scope, if there is one",
        arguments: [
            ("example.com", "example.com"), ("*.example.com", "www.example.com"),
            ("api.*.example.com:8443", "api.www.example.com"), ("Example.com", "example.com"),
        ]
    )
    func patterns(text: String, name: String) throws {
        let pattern = try HostPattern(text)
        var scope = HostScope(text) { pattern.matches(Authority(host: $0, port: 8443)) }
        scope.port = pattern.port
        #expect(scope.example == .name(name))
    }

    @Test("domains, patterns of OkHttp")
    func others() throws {
        #expect(HostScope(DomainRule("example.com", .everything)).example == .name("example.com"))
        let one = try OkHttpPin.Pattern("*.example.com")
        #expect(HostScope("\(one)") { one.matches($0) }.example == .name("www.example.com"))
        let any = try OkHttpPin.Pattern("**.example.com")
        #expect(HostScope("\(any)") { any.matches($0) }.example == .name("example.com"))
    }

    @Test(
        "addresses, the wildcard and invalid hosts have none",
        arguments: ["*", "192.0.2.1", "https://x/y"]
    )
    func none(text: String) {
        #expect(HostScope(text) { _ in true }.example == nil)
    }
}
