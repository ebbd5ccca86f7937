import Dispatch
import PinholeLock
package import PinholeModel

/// A program that is asked in lines of JSON, kept running, and left out where it fails again and again.
///
/// Each question is an object with a number of its own as `id`; the answer is an object with the same. Answers may come
/// in any order. A program that dies is started again with the next question, and one that failed too often in a row is
/// asked nothing for a while, which doubles each time.
package final class Program: Sendable {
    /// The answer, or why there is none.
    package typealias Reply = @Sendable (Result<[String: JSONValue], ProgramFailure>) -> Void

    private struct State {
        var process: ProgramProcess?
        var waiting: [Int: Reply] = [:]
        var lastNumber = 0
        /// Which process is the present one; what an earlier one says does not count.
        var generation = 0
        var failures = 0
        /// How often in a row it was left out.
        var pauses = 0
        /// Until when it is left out.
        var pausedUntil: DispatchTime?
        var isStopped = false
    }

    /// What became of a question at once.
    private enum Asked {
        case sent(Int, ProgramProcess)
        case refused(ProgramFailure)
        case unstarted(ProgramFailure)
    }

    /// What it is.
    package let settings: ProgramSettings
    private let state = Lock(State())
    private let notice: @Sendable (String) -> Void
    private let timing = DispatchQueue(label: "pinhole.program.timing")

    /// Questions that may wait for answers: each holds a message.
    private static let room = 1000
    /// The longest time that it is left out.
    private static let longestPause = 60

    /// Creates a program; it is started with the first question.
    ///
    /// - Parameters:
    ///   - settings: What it is.
    ///   - notice: Is told what people should know.
    package init(_ settings: ProgramSettings, notice: @escaping @Sendable (String) -> Void) {
        self.settings = settings
        self.notice = notice
    }

    deinit { state.withLock { $0.process }?.kill() }

    /// Asks.
    ///
    /// - Parameters:
    ///   - members: Writes the members of the question, without `id`.
    ///   - reply: Is given the answer, once.
    package func ask(_ members: (inout JSONText) -> Void, _ reply: @escaping Reply) {
        switch state.withLock({ take(reply, &$0) }) {
        case .refused(let failure): reply(.failure(failure))
        case .unstarted(let failure):
            count(failure)
            reply(.failure(failure))
        case .sent(let number, let process):
            var text = JSONText()
            text.object { json in
                json.member("id", number)
                members(&json)
            }
            text.endLine()
            process.write(text.take())
            let patience = settings.patience
            timing.asyncAfter(deadline: .now() + .microseconds(Int(patience.microseconds))) { [weak self] in
                let reason = "it took longer than \(patience.secondsText)"
                self?.fail(number, ProgramFailure(reason))
            }
        }
    }

    /// Gives a question a number; called with the lock held.
    private func take(_ reply: @escaping Reply, _ state: inout State) -> Asked {
        let now = DispatchTime.now()
        if let end = state.pausedUntil, now < end {
            let seconds = (end.uptimeNanoseconds - now.uptimeNanoseconds + 999_999_999) / 1_000_000_000
            return .refused(
                ProgramFailure("it failed \(settings.failures) times, and is left out for \(seconds) s")
            )
        }
        guard !state.isStopped else { return .refused(ProgramFailure("the proxy is being stopped")) }
        guard state.waiting.count < Self.room else {
            return .refused(ProgramFailure("\(Self.room) questions wait for it"))
        }
        do throws(SystemFailure) {
            let process = if let present = state.process { present } else { try start(&state) }
            state.lastNumber += 1
            state.waiting[state.lastNumber] = reply
            return .sent(state.lastNumber, process)
        } catch {
            return .unstarted(ProgramFailure(error.description))
        }
    }

    /// Ends the program; what waits is answered with a failure.
    package func stop() {
        let process = state.withLock { state in
            state.isStopped = true
            return state.process.take()
        }
        process?.closeInput()
        process?.kill()
        failAll(ProgramFailure("the proxy is being stopped"))
    }

    /// The present process; called with the lock held.
    private func start(_ state: inout State) throws(SystemFailure) -> ProgramProcess {
        state.generation += 1
        let generation = state.generation
        let process = try ProgramProcess(settings.command) { [weak self] line in
            self?.received(line, generation) ?? false
        } end: { [weak self] reason in
            self?.ended(reason, generation)
        }
        state.process = process
        return process
    }

    /// - Returns: Whether more is wanted of this process.
    private func received(_ line: [UInt8], _ generation: Int) -> Bool {
        guard !line.isEmpty else { return true }
        guard case .object(let answer)? = try? JSONValue(parsing: line), case .integer(let id)? = answer["id"]
        else {
            let shown = String(decoding: line.prefix(80), as: UTF8.self)
            notice("the program “\(settings.name)” wrote what is no JSON object with an id: \(shown)")
            return true
        }
        let reply: Reply? = state.withLock { state in
            guard state.generation == generation else { return nil }
            state.failures = 0
            state.pauses = 0
            return state.waiting.removeValue(forKey: Int(id))
        }
        // One that nobody waits for came too late.
        reply?(.success(answer))
        return true
    }

    private func ended(_ reason: String, _ generation: Int) {
        let isPresent = state.withLock { state in
            guard state.generation == generation, state.process != nil else { return false }
            state.process = nil
            return true
        }
        guard isPresent else { return }
        let failure = ProgramFailure(reason)
        notice("the program “\(settings.name)”: \(reason)")
        count(failure)
        failAll(failure)
    }

    private func fail(_ number: Int, _ failure: ProgramFailure) {
        guard let reply = state.withLock({ $0.waiting.removeValue(forKey: number) }) else { return }
        count(failure)
        reply(.failure(failure))
    }

    private func failAll(_ failure: ProgramFailure) {
        let replies = state.withLock { state in
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for reply in replies { reply(.failure(failure)) }
    }

    /// Counts a failure; after too many in a row the program is left out for a while.
    private func count(_ failure: ProgramFailure) {
        let paused: (process: ProgramProcess?, seconds: Int)? = state.withLock { state in
            guard !state.isStopped else { return nil }
            state.failures += 1
            guard state.failures >= settings.failures else { return nil }
            let seconds = min(Self.longestPause, 1 << min(state.pauses, 10))
            state.pauses += 1
            // The first failure after the pause begins the next one.
            state.failures = settings.failures - 1
            state.pausedUntil = .now() + .seconds(seconds)
            return (state.process.take(), seconds)
        }
        guard let paused else { return }
        paused.process?.kill()
        notice(
            "the program “\(settings.name)” failed \(settings.failures) times (\(failure)) and is left out for "
                + "\(paused.seconds) s"
        )
        failAll(failure)
    }
}
