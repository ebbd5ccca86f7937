import PinholeModel
import Testing

@testable import PinholeRuntime

@Suite("Resolver")
struct ResolverTests {
    @Test("takes overrides as curl writes them")
    func overrides() throws {
        let authority = try Authority("shop.example:443")
        let override = try Resolver.Override("shop.example:443:127.0.0.1,[::1]")
        #expect(override.matches(authority))
        #expect(override.addresses.map(\.description) == ["127.0.0.1", "::1"])
        #expect(try Resolver.Override("*:443:127.0.0.1").matches(authority))
        #expect(try Resolver.Override("shop.example:*:127.0.0.1").matches(authority))
        #expect(try !Resolver.Override("shop.example:444:127.0.0.1").matches(authority))
        #expect(try Resolver.Override("[::1]:443:127.0.0.1").matches(Authority("[::1]:443")))
    }

    @Test(
        "the most specific override wins wherever it stands, and of equal ones the last",
        arguments: [
            (["a.test:443:127.0.0.2", "*:443:127.0.0.3", "*:*:127.0.0.4"], "127.0.0.2"),
            (["*:443:127.0.0.3", "a.test:*:127.0.0.5", "*:*:127.0.0.4"], "127.0.0.5"),
            (["*:443:127.0.0.3", "*:*:127.0.0.4"], "127.0.0.3"),
            (["a.test:443:127.0.0.2", "a.test:443:127.0.0.6", "b.test:443:127.0.0.7"], "127.0.0.6"),
        ]
    )
    func specificity(_ texts: [String], _ expected: String) async throws {
        let overrides = try texts.map { try Resolver.Override($0) }
        let resolver = Resolver(overrides: overrides, lifetime: .seconds(30), clock: LoopClock())
        let authority = try Authority("a.test:443")
        let answer = await withCheckedContinuation { continuation in
            resolver.resolve(authority) { continuation.resume(returning: $0) }
        }
        #expect(try answer.get().map(\.description) == [expected])
    }

    @Test(
        "refuses overrides that mean nothing",
        arguments: [
            "", "a", "a:1", "a:b:127.0.0.1", "a:0:127.0.0.1", "a:443:nowhere", "a:443:", "a b:443:127.0.0.1",
        ]
    )
    func refusals(text: String) {
        #expect(throws: AddressFailure.self) { try Resolver.Override(text) }
    }

    @Test("alternates the families, beginning with the first one's")
    func interleaving() {
        let addresses = ["::1", "::2", "::3", "1.1.1.1"].compactMap { IPAddress($0) }
        #expect(Resolver.interleaved(addresses).map(\.description) == ["::1", "1.1.1.1", "::2", "::3"])
        #expect(Resolver.interleaved([]).isEmpty)
    }

    @Test("answers localhost without asking")
    func localhost() async throws {
        let resolver = Resolver(overrides: [], lifetime: .seconds(30), clock: LoopClock())
        let authority = try Authority("api.localhost:80")
        let answer = await withCheckedContinuation { continuation in
            resolver.resolve(authority) { continuation.resume(returning: $0) }
        }
        #expect(try answer.get().map(\.description) == ["127.0.0.1", "::1"])
    }

    @Test("says which name it could not resolve")
    func failure() async throws {
        let resolver = Resolver(overrides: [], lifetime: .seconds(30), clock: LoopClock())
        let authority = try Authority("no-such-host.invalid:80")
        let answer = await withCheckedContinuation { continuation in
            resolver.resolve(authority) { continuation.resume(returning: $0) }
        }
        #expect(throws: ResolutionFailure.self) { try answer.get() }
    }
}
