import PinholeLock
import Testing

@testable import PinholeRuntime

@Suite("QueueBudget")
struct QueueBudgetTests {
    @Test("below the limit every connection may read, above it the ones with less than an equal share")
    func shares() {
        let budget = QueueBudget(limit: 1000)
        budget.change(by: 999)
        #expect(budget.mayRead(holding: 999, of: 1))
        budget.change(by: 1)
        #expect(!budget.mayRead(holding: 1000, of: 1))
        #expect(!budget.mayRead(holding: 100, of: 10))
        #expect(budget.mayRead(holding: 99, of: 10))
        #expect(budget.mayRead(holding: 0, of: 0))
        budget.change(by: -1)
        #expect(budget.mayRead(holding: 100, of: 10))
    }

    @Test("a waiter is notified once, when less than the limit waits, or at once below it")
    func relief() {
        let budget = QueueBudget(limit: 100)
        let told = Lock(0)
        budget.change(by: 150)
        budget.whenRelieved { told.withLock { $0 += 1 } }
        budget.change(by: -50)
        #expect(told.withLock { $0 } == 0)
        budget.change(by: -1)
        #expect(told.withLock { $0 } == 1)
        budget.change(by: 60)
        budget.change(by: -60)
        #expect(told.withLock { $0 } == 1)
        budget.whenRelieved { told.withLock { $0 += 1 } }
        #expect(told.withLock { $0 } == 2)
    }
}
