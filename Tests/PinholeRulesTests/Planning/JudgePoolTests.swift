import Synchronization
import Testing

@testable import PinholeRules

@Suite("JudgePool")
struct JudgePoolTests {
    private struct Judge: Sendable {
        let law: String
        var asked = 0
    }

    @Test("lends a returned judge again, with its memory")
    func lends() {
        let made = Atomic(0)
        let pool = JudgePool("a") { law in
            made.add(1, ordering: .relaxed)
            return Judge(law: law)
        }
        let asked = (1...3).map { _ in
            pool.judging { judge in
                judge.asked += 1
                return judge.asked
            }
        }
        #expect(asked == [1, 2, 3] && made.load(ordering: .relaxed) == 1)
    }

    @Test("a second caller gets another judge")
    func nested() {
        let pool = JudgePool("a") { Judge(law: $0) }
        let inner = pool.judging { outer in
            outer.asked += 1
            return pool.judging { $0.asked }
        }
        #expect(inner == 0)
    }

    @Test("a judge of an earlier law is not lent again")
    func replaced() {
        let pool = JudgePool("a") { Judge(law: $0) }
        let before = pool.judging { judge in
            pool.replace(with: "b")
            return judge.law
        }
        #expect(before == "a" && pool.law == "b")
        #expect(pool.judging { $0.law } == "b")
    }
}
