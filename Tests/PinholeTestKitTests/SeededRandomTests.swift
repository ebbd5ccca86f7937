import PinholeTestKit
import Testing

@Suite("SeededRandom")
struct SeededRandomTests {
    @Test("gives the reference numbers of SplitMix64")
    func reference() {
        var random = SeededRandom(seed: 0)
        #expect(random.next() == 0xe220_a839_7b1d_cdaf)
        #expect(random.next() == 0x6e78_9e6a_a1b9_65f4)
    }

    @Test("repeats itself for the same seed alone")
    func repeats() {
        var first = SeededRandom(seed: 7)
        var second = SeededRandom(seed: 7)
        var third = SeededRandom(seed: 8)
        let numbers = (0..<10).map { _ in first.next() }
        #expect(numbers == (0..<10).map { _ in second.next() })
        #expect(numbers != (0..<10).map { _ in third.next() })
    }
}
