import Foundation
import PinholeTestKit
import Testing

@Suite("Patience")
struct PatienceTests {
    @Test("the limit grows with the load, up to three times the limit of an idle machine")
    func load() {
        let idle = Patience.idleSeconds
        #expect([0, 1].map(Patience.seconds(underLoad:)) == [idle, idle])
        #expect(Patience.seconds(underLoad: 2) == 2 * idle)
        #expect([3, 100].map(Patience.seconds(underLoad:)) == [3 * idle, 3 * idle])
        #expect(Patience.limit >= .seconds(1))
    }

    @Test("programs that tests start get a shorter limit")
    func children() async throws {
        let result = try await ProcessRunner.run(Invocation("printenv", [Patience.variable]))
        #expect(result.text == "\(Patience.programSeconds)\n")
    }

    @Test("asks until there is an answer")
    func answer() async throws {
        var asked = 0
        let first: Int? = try await Patience.poll {
            asked += 1
            return asked == 3 ? asked : nil
        }
        #expect(first == 3)
        let second: String? = Patience.pollBlocking { "at once" }
        #expect(second == "at once")
    }
}
