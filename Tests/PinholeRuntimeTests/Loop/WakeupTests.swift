import PinholeRuntime
import PinholeTestKit
import Testing

@Suite("Wake-up", .patience)
struct WakeupTests {
    @Test("is kept for the next wait, and ends only that one")
    func kept() async throws {
        let loop = try EventLoop(number: 0)
        loop.start()
        #expect(await Self.steps(on: loop) == ["kept", "sent", "woken"])
        loop.post { $0.stop() }
    }

    @Test("is not lost in a task that is suspended at each call")
    func preference() async throws {
        let loop = try EventLoop(number: 0)
        loop.start()
        // A task with a preferred executor leaves the loop's queue even for a call on the same loop.
        let task = Task(executorPreference: globalConcurrentExecutor) { await Self.rounds(on: loop) }
        #expect(await task.value == 1_000)
        loop.post { $0.stop() }
    }

    private static func steps(on loop: isolated EventLoop) async -> [String] {
        let bell = Bell()
        loop.owner = bell
        bell.wakeup.send(on: loop)
        bell.wakeup.send(on: loop)
        await bell.wakeup.wait(on: loop)
        bell.steps.append("kept")
        loop.post { Self.ring($0) }
        await bell.wakeup.wait(on: loop)
        bell.steps.append("woken")
        return bell.steps
    }

    private static func ring(_ loop: isolated EventLoop) {
        guard let bell = loop.owner as? Bell else { return }
        bell.steps.append("sent")
        bell.wakeup.send(on: loop)
    }

    private static func rounds(on loop: isolated EventLoop) async -> Int {
        let bell = Bell()
        loop.owner = bell
        var rounds = 0
        while rounds < 1_000 {
            loop.post { Self.ring($0) }
            await bell.wakeup.wait(on: loop)
            rounds += 1
        }
        return rounds
    }

    private final class Bell: LoopOwner {
        let wakeup = Wakeup()
        var steps: [String] = []
    }
}
