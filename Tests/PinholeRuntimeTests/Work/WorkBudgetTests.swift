import Dispatch
import PinholeLock
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeRuntime

@Suite("WorkBudget", .patience)
struct WorkBudgetTests {
    private static let anna = Admission.Holder.account(1)
    private static let ben = Admission.Holder.account(2)

    private static func bounds(
        threads: Int = 2,
        waiting: Int = 3,
        waitingOfUser: Int = 2,
        processorTime: Duration = Patience.limit,
        time: Duration = Patience.limit
    ) -> WorkBounds {
        WorkBounds(
            threads: threads,
            waiting: waiting,
            waitingOfUser: waitingOfUser,
            processorTime: processorTime,
            time: time
        )
    }

    @Test("one piece of work of a user runs at a time, and other users do not wait for it")
    func order() {
        var line = WorkSchedule(Self.bounds())
        #expect(line.add(1, for: Self.anna) == .begins(thread: 0))
        #expect(line.add(2, for: Self.anna) == .waits)
        #expect(line.add(3, for: Self.anna) == .waits)
        #expect(line.add(4, for: Self.anna) == .refused)
        #expect(line.add(5, for: Self.ben) == .begins(thread: 1))
        #expect(line.add(6, for: Self.ben) == .waits)
        #expect(line.add(7, for: .account(3)) == .refused)
        #expect(line.end(on: 1).map(\.id) == [6])
        #expect(line.end(on: 0).map(\.id) == [2])
        line.withdraw(3)
        #expect(line.end(on: 0).isEmpty)
    }

    @Test("work that uses up its processor time ends with that reason")
    func processorTime() async {
        let budget = WorkBudget("test", Self.bounds(processorTime: .milliseconds(50)))
        await #expect(throws: WorkFailure.tooLong(.milliseconds(50), isProcessor: true)) {
            try await budget.perform(for: Self.anna) { meter in
                var rounds = 0
                while !meter.isOver { rounds += 1 }
                return rounds
            }
        }
    }

    @Test("waiting takes no processor time, and child tasks count with their parent")
    func childTasks() async throws {
        let budget = WorkBudget("test", Self.bounds(processorTime: .milliseconds(50)))
        let slept = try await budget.perform(for: Self.anna) { _ in
            try await Task.sleep(for: .milliseconds(80))
            return true
        }
        #expect(slept)
        await #expect(throws: WorkFailure.tooLong(.milliseconds(50), isProcessor: true)) {
            try await budget.perform(for: Self.anna) { meter in
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 { group.addTask { while !meter.isOver {} } }
                }
            }
        }
    }

    @Test("work that blocks its thread is answered after its time limit, and does not delay other work")
    func blocked() async throws {
        let budget = WorkBudget("test", Self.bounds(time: .milliseconds(50)))
        let gate = DispatchSemaphore(value: 0)
        await #expect(throws: WorkFailure.tooLong(.milliseconds(50), isProcessor: false)) {
            try await budget.perform(for: Self.anna) { _ in gate.waitForTest() }
        }
        #expect(try await budget.perform(for: Self.ben) { _ in 7 } == 7)
        gate.signal()
        // The thread is free again after that.
        #expect(try await budget.perform(for: Self.anna) { _ in 8 } == 8)
    }

    @Test("blocked work does not hold up the tasks of others in the process")
    func otherTasks() async {
        let budget = WorkBudget("test", Self.bounds(threads: 16, waiting: 0))
        let gate = DispatchSemaphore(value: 0)
        let begun = Lock(0)
        await withDiscardingTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    _ = try? await budget.perform(for: .account(number)) { _ in
                        begun.withLock { $0 += 1 }
                        gate.waitForTest()
                    }
                }
            }
            while begun.withLock({ $0 }) < 16 { await Task.yield() }
            #expect(await Task { 9 }.value == 9)
            for _ in 0..<16 { gate.signal() }
        }
    }

    @Test("work for a client that has gone is not done, or ends")
    func abandoned() async {
        let budget = WorkBudget("test", Self.bounds())
        let isGone = Lock(false)
        let isAbandoned: @Sendable () -> Bool = { isGone.withLock { $0 } }
        await #expect(throws: WorkFailure.abandoned) {
            try await budget.perform(for: Self.anna, until: isAbandoned) { meter in
                isGone.withLock { $0 = true }
                while !meter.isOver {}
            }
        }
        await #expect(throws: WorkFailure.abandoned) {
            try await budget.perform(for: Self.anna, until: isAbandoned) { _ in Issue.record("it was done") }
        }
    }

    @Test("too much work of a user is refused")
    func busy() async throws {
        let budget = WorkBudget("test", Self.bounds(waitingOfUser: 0))
        let gate = DispatchSemaphore(value: 0)
        let begun = Lock(false)
        await withDiscardingTaskGroup { group in
            group.addTask {
                _ = try? await budget.perform(for: Self.anna) { _ in
                    begun.withLock { $0 = true }
                    gate.waitForTest()
                }
            }
            while !begun.withLock({ $0 }) { await Task.yield() }
            await #expect(throws: WorkFailure.busy) {
                try await budget.perform(for: Self.anna) { _ in }
            }
            gate.signal()
        }
    }
}

extension DispatchSemaphore {
    /// Blocks the thread, as a computation that asks nobody does.
    fileprivate func waitForTest() { wait() }
}
