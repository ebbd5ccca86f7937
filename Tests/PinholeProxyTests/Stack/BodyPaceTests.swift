import PinholeModel
import Testing

@testable import PinholeProxy

@Suite("BodyPace")
struct BodyPaceTests {
    @Test("a pause makes a body a stream, once; its type does so from the beginning")
    func paces() {
        let start = Timestamp(seconds: 1)
        var pace = BodyPace()
        let times: [(Int64, Bool)] = [(0, false), (99, false), (199, true), (900, false)]
        for (milliseconds, expected) in times {
            let time = start + .milliseconds(milliseconds)
            let hasBecome = pace.notePiece(at: time, pause: .milliseconds(100))
            #expect(hasBecome == expected)
            #expect(pace.isStream == (milliseconds >= 199))
        }
        var typed = BodyPace()
        typed.beginStream()
        #expect(typed.isStream)
        let hasBecome = typed.notePiece(at: start, pause: .milliseconds(100))
        #expect(!hasBecome)
    }
}
