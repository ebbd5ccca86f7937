import PinholeTestKit
import Testing

@testable import PinholeStore

@Suite("Radix sorter")
struct RadixSorterTests {
    @Test(
        "sorts a part by keys, and leaves equal ones in their order",
        arguments: [0, 1, 2, 24, 25, 400, 3000],
        [1, 3, 200, .max] as [UInt64]
    )
    func sorts(count: Int, most: UInt64) {
        var random = SeededRandom(seed: UInt64(count))
        let before = (0..<count + 20).map { place in
            RadixItem(key: .random(in: 0...most, using: &random), place: place)
        }
        var items = before
        var sorter = RadixSorter()
        sorter.sort(&items, in: 10..<10 + count)
        var sorted = before
        sorted[10..<10 + count].sort { ($0.key, $0.place) < ($1.key, $1.place) }
        #expect(items == sorted)
        // What is in order stays so, and its room is used again.
        sorter.sort(&items, in: 10..<10 + count)
        #expect(items == sorted)
    }
}
