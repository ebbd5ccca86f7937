import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

@Suite("GivenIdentities")
struct GivenIdentitiesTests {
    @Test("the identity that names the host is presented, otherwise the first one")
    func chooses() throws {
        let world = try Tunnels.world
        let first = try world.serverMinter.mint(LeafRequest(names: [.name("a.test")]), now: world.now)
        let second = try world.serverMinter.mint(LeafRequest(names: [.name("*.b.test")]), now: world.now)
        let given = GivenIdentities([first, second])
        for (name, expected) in [
            ("a.test", first), ("www.b.test", second), ("c.test", first), (nil, first), ("192.0.2.1", first),
        ] as [(String?, Identity)] {
            #expect(given.identity(for: name)?.certificate == expected.certificate)
        }
        #expect(GivenIdentities().identity(for: "a.test") == nil)
    }
}
