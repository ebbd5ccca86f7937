import Testing

@testable import PinholeStore

@Suite("Steps between numbers")
struct NumberStepsTests {
    @Test("steps up are even, steps down odd, seven bits a byte; nothing that a file holds traps")
    func encoding() {
        var numbers = NumberSteps()
        for id in [5, 3, 4, 204, 1] as [Int64] { numbers.append(id) }
        #expect(numbers.bytes == [10, 3, 2, 0x90, 0x03, 0x95, 0x03])
        for id in [.max, .min, 0, .max, -7] as [Int64] { numbers.append(id) }
    }
}
