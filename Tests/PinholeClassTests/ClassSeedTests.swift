import PinholeCrypto
import Testing

@testable import PinholeClass

@Suite("The seed of a student's world")
struct ClassSeedTests {
    @Test("the same name makes the same values, another name or a secret others")
    func derivation() {
        #expect(ClassSeed("mia").token("token") == ClassSeed("mia").token("token"))
        #expect(ClassSeed("mia").token("token") != ClassSeed("ben").token("token"))
        #expect(ClassSeed("mia").token("token") != ClassSeed("mia", secret: [1]).token("token"))
        #expect(
            ClassSeed("mia", key: ClassSeed("mia").material).token("token") == ClassSeed("mia").token("token")
        )
    }

    @Test("an order keeps every element")
    func order() {
        let shuffled = ClassSeed("mia").shuffled("list", Array(0..<20))
        #expect(shuffled.sorted() == Array(0..<20))
        #expect(shuffled != Array(0..<20))
    }

    @Test("a key has a public half that belongs to the seed")
    func key() throws {
        let key = try ClassSeed("mia").privateKey("bank")
        #expect(try key.spki == ClassSeed("mia").privateKey("bank").spki)
        #expect(key.keyDescription == "P-256")
        #expect(key.spki.count == 91)
    }
}
