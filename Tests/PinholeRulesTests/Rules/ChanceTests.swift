import PinholeModel
import Testing

@testable import PinholeRules

@Suite("Chance")
struct ChanceTests {
    private func draws(_ odds: Double, seed: UInt64, count: Int) -> [Bool] {
        let chance = Chance(odds: odds, seed: seed)
        return (0..<count).map { _ in chance.draw() }
    }

    @Test("draws the same for the same seed, and something else for another")
    func repeats() {
        #expect(draws(0.5, seed: 7, count: 100) == draws(0.5, seed: 7, count: 100))
        #expect(draws(0.5, seed: 7, count: 100) != draws(0.5, seed: 8, count: 100))
    }

    @Test("acts on the part of the matches that it names", arguments: [0.01, 0.1, 0.5, 0.9])
    func part(odds: Double) {
        for seed in UInt64(0)..<5 {
            let share = Double(draws(odds, seed: seed, count: 20_000).count { $0 }) / 20_000
            #expect(abs(share - odds) < 0.02, "seed \(seed)")
        }
        #expect(draws(1, seed: 1, count: 1000).allSatisfy { $0 })
    }

    @Test("continues one row of draws from several threads at once")
    func threads() async {
        let chance = Chance(odds: 0.5, seed: 3)
        let hits = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { (0..<500).count { _ in chance.draw() } } }
            return await group.reduce(0, +)
        }
        #expect(hits == draws(0.5, seed: 3, count: 4000).count { $0 })
    }

    @Test("draws a seed that people can copy where none is named")
    func ownSeed() {
        let chance = Chance(odds: 0.5, seed: nil)
        #expect(chance.isSeedDrawn && 1...999_999 ~= chance.seed)
        #expect(!Chance(odds: 0.5, seed: 4).isSeedDrawn)
    }
}
