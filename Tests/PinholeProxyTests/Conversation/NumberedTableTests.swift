import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

@Suite("NumberedTable")
struct NumberedTableTests {
    private final class Value {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    @Test("holds the elements that were set and not removed, in the order of their keys", arguments: 0..<10)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table: NumberedTable<Int, Value> = [:]
        var known: [Int: Int] = [:]
        for number in 0..<1000 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: #expect(table.removeValue(forKey: key)?.number == known.removeValue(forKey: key))
            case 1:
                table[key] = nil
                known[key] = nil
            default:
                table[key] = Value(number)
                known[key] = number
            }
            #expect(table.keys == known.keys.sorted())
            #expect(table.values.map(\.number) == table.keys.map { known[$0] })
            #expect(table[key]?.number == known[key] && table.count == known.count)
            #expect(table.isEmpty == known.isEmpty && table.first?.key == known.keys.min())
        }
    }
}
