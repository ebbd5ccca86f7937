import Testing

@testable import PinholeRuntime

@Suite("NoticeLimiter")
struct NoticeLimiterTests {
    @Test("lets twenty pass in ten seconds, and says how many it left out")
    func flood() {
        let begin = ContinuousClock().now
        var limiter = NoticeLimiter(at: begin)
        #expect((1...100).compactMap { _ in limiter.admit(at: begin) } == Array(repeating: 0, count: 20))
        #expect(limiter.admit(at: begin + .seconds(9)) == nil)
        #expect(limiter.admit(at: begin + .seconds(10)) == 81)
        #expect(limiter.admit(at: begin + .seconds(10)) == 0)
    }
}
