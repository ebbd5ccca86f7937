import PinholeModel
import Testing

@testable import PinholeFilter

@Suite("Statuses")
struct StatusRangeTests {
    @Test(
        "a status is one, a class or a range",
        arguments: [("404", 404...404), ("4xx", 400...499), ("5XX", 500...599), ("200-299", 200...299)]
    )
    func reading(_ text: String, _ expected: ClosedRange<Int64>) throws {
        #expect(try StatusRange(text).range == expected)
    }

    @Test(
        "invalid values are refused",
        arguments: ["", "abc", "xx", "5-4", "99999", "-1", "+1xx", "+404", "1-+5", "1-2-3"]
    )
    func refused(_ text: String) {
        #expect(throws: AddressFailure.self) { try StatusRange(text) }
    }
}
