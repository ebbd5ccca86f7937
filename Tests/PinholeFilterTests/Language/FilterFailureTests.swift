import PinholeFilter
import Testing

@Suite("Filter failures")
struct FilterFailureTests {
    @Test("shows the place")
    func caret() {
        let failure = #expect(throws: FilterFailure.self) { try Filter("~d a & stauts >= 400") }
        #expect(
            failure?.description == """
                column 8: expected a known field, found “stauts”; did you mean “status”?
                  ~d a & stauts >= 400
                         ^
                """
        )
    }

    @Test("shows a part of a long filter, and no control character")
    func excerpt() {
        let text = String(repeating: "~q ", count: 100) + "\u{1b}[2J ~zz"
        let failure = #expect(throws: FilterFailure.self) { try Filter(text) }
        #expect(failure?.excerpt.allSatisfy { $0.count <= 105 && !$0.contains("\u{1b}") } == true)
        #expect(failure?.excerpt.last?.hasSuffix(" ^") == true)
    }
}
