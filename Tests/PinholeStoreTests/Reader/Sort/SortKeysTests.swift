import PinholeTestKit
import Testing

@testable import PinholeStore

@Suite("Keys to sort by")
struct SortKeysTests {
    @Test(
        "numbers, negative ones first, equal ones by their place, missing ones last",
        arguments: [false, true]
    )
    func numbers(isDescending: Bool) {
        var keys = SortKeys()
        let numbers: [Int64?] = [5, -1, nil, 5, .min, .max, nil, 0]
        for (id, number) in numbers.enumerated() {
            keys.append(Int64(id), number.map(SortValue.number) ?? .missing)
        }
        let expected: [Int64] = isDescending ? [5, 3, 0, 7, 1, 4, 6, 2] : [4, 1, 7, 0, 3, 5, 2, 6]
        #expect(keys.sorted(isDescending: isDescending) == expected)
    }

    @Test("texts by their bytes, without regard to case", arguments: 0..<8, [false, true])
    func texts(seed: Int, isDescending: Bool) {
        var random = SeededRandom(seed: UInt64(seed))
        let beginnings = ["", "/api/v1/items/", "/API/v1/items/12345678", "https://a.test/", "é", "/a\0"]
        let letters = Array("aAbZ_~")
        var texts: [String] = []
        for _ in 0..<500 {
            let length = Int.random(in: 0..<18, using: &random)
            let beginning = beginnings[Int.random(in: 0..<beginnings.count, using: &random)]
            texts.append(
                beginning
                    + String(
                        (0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] }
                    )
            )
        }
        var keys = SortKeys()
        for (id, text) in texts.enumerated() {
            Array(text.utf8).withUnsafeBytes { keys.append(Int64(id), .text($0)) }
        }
        func folded(_ text: String) -> [UInt8] {
            text.utf8.map { $0 == 0 ? 1 : (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        }
        var expected = texts.indices.sorted { one, other in
            let (left, right) = (folded(texts[one]), folded(texts[other]))
            return left == right ? one < other : left.lexicographicallyPrecedes(right)
        }
        if isDescending { expected.reverse() }
        #expect(keys.sorted(isDescending: isDescending) == expected.map(Int64.init))
    }

    @Test("of long texts the beginning counts")
    func long() {
        var keys = SortKeys()
        let same = Array(repeating: UInt8(ascii: "a"), count: 1 << 16)
        for (id, text) in [same + [2], same + [1], same.prefix(7) + [1]].enumerated() {
            text.withUnsafeBytes { keys.append(Int64(id), .text($0)) }
        }
        #expect(keys.sorted(isDescending: false) == [2, 0, 1])
    }

    @Test("nothing is in order")
    func empty() {
        #expect(SortKeys().sorted(isDescending: true) == [])
    }
}
