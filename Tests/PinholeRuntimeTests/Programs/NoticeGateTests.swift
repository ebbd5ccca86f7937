import Testing

@testable import PinholeRuntime

@Suite("NoticeGate")
struct NoticeGateTests {
    @Test("lets twenty pass in ten seconds, and says how many it left out")
    func flood() {
        let begin = ContinuousClock().now
        var gate = NoticeGate(at: begin)
        #expect((1...100).compactMap { _ in gate.admit(at: begin) } == Array(repeating: 0, count: 20))
        #expect(gate.admit(at: begin + .seconds(9)) == nil)
        #expect(gate.admit(at: begin + .seconds(10)) == 81)
        #expect(gate.admit(at: begin + .seconds(10)) == 0)
    }
}
