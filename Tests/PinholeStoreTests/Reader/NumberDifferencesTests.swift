import Testing

@testable import PinholeStore

@Suite("Differences of numbers")
struct NumberDifferencesTests {
    @Test("small differences take a byte, others seven bits a byte; numbers that do not grow are left out")
    func encoding() {
        var numbers = NumberDifferences()
        for id in [5, 6, 6, 3, 205] as [Int64] { numbers.append(id) }
        #expect(numbers.bytes == [5, 1, 0xc7, 0x01] && numbers.last == 205)
    }

    @Test("encoded numbers are appended unchanged")
    func appending() {
        var numbers = NumberDifferences()
        numbers.append(5)
        numbers.append(205, then: [1, 1], upTo: 207)
        numbers.append(208)
        #expect(numbers.bytes == [5, 0xc8, 0x01, 1, 1, 1])
    }
}
