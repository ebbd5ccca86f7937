import Dispatch
import PinholeLock
import PinholeModel
import PinholeRules

/// A program that answers questions in lines of JSON.
///
/// The program keeps running, and is left out for a while if it fails again and again.
///
/// Each question is an object with a unique number as `id`, and the answer has the same `id`. Answers may
/// come in any order. A program that ended is started again with the next question. After too many failures
/// in a row it gets no questions for a while, and the pause doubles each time. Then a single question tries it.
final class Program: MessageRespondent {
    /// Receives the answer, or the reason why there is none.
    typealias Reply = @Sendable (Result<MessageDecision, MessageFailure>) -> Void

    private struct Waiting {
        let question: MessageQuestion
        let reply: Reply
    }

    private struct State {
        var process: ProgramProcess?
        var waiting: [Int: Waiting] = [:]
        var lastNumber = 0
        /// The number of the current process.
        ///
        /// Output of an earlier process is ignored.
        var generation = 0
        var failures = 0
        /// The number of pauses in a row.
        var pauses = 0
        /// The end of the current pause; `nil` if there is none.
        var pausedUntil: ContinuousClock.Instant?
        var isStopped = false
        var limiter: NoticeLimiter
    }

    /// The immediate outcome of a question.
    private enum Asked {
        case sent(Int, ProgramProcess)
        case refused(MessageFailure)
        case unstarted(MessageFailure)
    }

    /// The version of the protocol, which `hello` states.
    static let version: Int64 = 1
    /// The largest number of questions that may wait for answers; each holds a message.
    private static let room = 1000
    /// The longest pause, in seconds.
    private static let longestPause = 60

    /// The configuration of the program.
    let declaration: ProgramDeclaration
    private let state: Lock<State>
    private let notice: @Sendable (String) -> Void
    private let timing = DispatchQueue(label: "pinhole.program.timing")
    private let clock = ContinuousClock()

    /// Creates a program.
    ///
    /// The first question starts its process.
    ///
    /// - Parameters:
    ///   - declaration: The configuration of the program.
    ///   - notice: Receives messages for the user.
    init(_ declaration: ProgramDeclaration, notice: @escaping @Sendable (String) -> Void) {
        self.declaration = declaration
        self.notice = notice
        state = Lock(State(limiter: NoticeLimiter(at: clock.now)))
    }

    deinit { state.withLock { $0.process }?.kill() }

    /// Asks a question.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - reply: Receives the answer, once.
    func ask(_ question: MessageQuestion, _ reply: @escaping Reply) {
        let waiting = Waiting(question: question, reply: reply)
        switch state.withLock({ take(waiting, &$0) }) {
        case .refused(let failure): reply(.failure(failure))
        case .unstarted(let failure):
            say("\(failure)")
            count(failure)
            reply(.failure(failure))
        case .sent(let number, let process):
            var text = JSONText()
            text.object { json in
                json.member("id", number)
                question.write(into: &json)
            }
            text.endLine()
            guard process.write(text.take()) else {
                return fail(number, MessageFailure("it does not read what it is asked"))
            }
            let patience = declaration.call.patience
            timing.asyncAfter(deadline: .now() + .microseconds(Int(patience.microseconds))) { [weak self] in
                self?.fail(number, MessageFailure("it took longer than \(patience.secondsText)"))
            }
        }
    }

    /// Ends programs.
    ///
    /// Their waiting questions are answered with a failure.
    ///
    /// - Parameter programs: The programs. All of them together have one second to end by themselves.
    static func stop(_ programs: [Program]) {
        let processes = programs.compactMap { program in
            program.state.withLock { state in
                state.isStopped = true
                return state.process.take()
            }
        }
        for process in processes { process.closeInput() }
        let deadline = DispatchTime.now() + .seconds(1)
        for process in processes { process.finish(by: deadline) }
        for program in programs { program.failAll(MessageFailure("the program is not asked any more")) }
    }

    // MARK: Questions

    /// Gives a question a number.
    ///
    /// The caller holds the lock.
    private func take(_ question: Waiting, _ state: inout State) -> Asked {
        if let end = state.pausedUntil {
            let left = clock.now.duration(to: end)
            guard left <= .zero else {
                let reason = "it failed \(declaration.failureLimit) times"
                return .refused(
                    MessageFailure("\(reason), and is left out for \(max(1, left.components.seconds)) s")
                )
            }
            guard state.waiting.isEmpty else { return .refused(MessageFailure("it is being tried again")) }
        }
        guard !state.isStopped else { return .refused(MessageFailure("the program is not asked any more")) }
        guard state.waiting.count < Self.room else {
            return .refused(MessageFailure("\(Self.room) questions wait for it"))
        }
        do throws(SystemFailure) {
            let process = if let present = state.process { present } else { try start(&state) }
            state.lastNumber += 1
            state.waiting[state.lastNumber] = question
            return .sent(state.lastNumber, process)
        } catch {
            return .unstarted(MessageFailure(error.description))
        }
    }

    /// Starts a process.
    ///
    /// The caller holds the lock.
    private func start(_ state: inout State) throws(SystemFailure) -> ProgramProcess {
        state.generation += 1
        let generation = state.generation
        let listeners = ProgramProcess.Listeners { [weak self] line in
            self?.received(line, generation)
        } complaint: { [weak self] text in
            self?.say("says: \(text)")
        } end: { [weak self] reason in
            self?.ended(reason, generation)
        }
        let process = try ProgramProcess(declaration.command, in: declaration.folder, listeners)
        state.process = process
        _ = process.write(hello)
        return process
    }

    /// The first line that a process receives.
    private var hello: [UInt8] {
        var text = JSONText()
        text.object { json in
            json.member("id", 0)
            json.member("at", "hello")
            json.member("protocol", Self.version)
            json.member("program", declaration.name)
            json.name("points")
            json.array { json in
                for point in declaration.call.points { json.string(point.rawValue) }
            }
        }
        text.endLine()
        return text.take()
    }

    // MARK: Answers

    private func received(_ line: [UInt8], _ generation: Int) {
        guard !line.isEmpty, state.withLock({ $0.generation == generation }) else { return }
        guard case .object(var answer)? = try? JSONValue(parsing: line),
            case .integer(let number)? = answer.removeValue(forKey: "id")
        else {
            let shown = String(decoding: line.prefix(80), as: UTF8.self)
            return say("wrote what is not a JSON object with an id: \(shown)")
        }
        guard number != 0 else { return greeted(answer) }
        let (found, last) = state.withLock { state in
            (state.waiting.removeValue(forKey: Int(number)), state.lastNumber)
        }
        guard let found else {
            let isKnown = number > 0 && number <= last
            let reason = isKnown ? "late, or twice" : "which was not asked"
            return say("answered the question \(number) \(reason)")
        }
        do throws(DocumentFailure) {
            let answer = try MessageDecision(answer: answer, to: found.question)
            state.withLock { state in
                state.failures = 0
                state.pauses = 0
                state.pausedUntil = nil
            }
            found.reply(.success(answer))
        } catch {
            let failure = MessageFailure("its answer cannot be used: \(error)")
            say("\(failure)")
            count(failure)
            found.reply(.failure(failure))
        }
    }

    /// Handles the answer to `hello`, which is optional.
    private func greeted(_ answer: [String: JSONValue]) {
        guard let version = answer["protocol"], version != .integer(Self.version) else { return }
        let failure = MessageFailure(
            "it speaks the protocol \(version.summary), and this proxy the protocol \(Self.version)"
        )
        say("\(failure)")
        state.withLock { $0.process.take() }?.kill()
        count(failure)
        failAll(failure)
    }

    // MARK: Failures

    private func ended(_ reason: String, _ generation: Int) {
        let isPresent = state.withLock { state in
            guard state.generation == generation, state.process != nil else { return false }
            state.process = nil
            return true
        }
        guard isPresent else { return }
        let failure = MessageFailure(reason)
        say(reason)
        count(failure)
        failAll(failure)
    }

    private func fail(_ number: Int, _ failure: MessageFailure) {
        guard let found = state.withLock({ $0.waiting.removeValue(forKey: number) }) else { return }
        say("\(failure)")
        count(failure)
        found.reply(.failure(failure))
    }

    private func failAll(_ failure: MessageFailure) {
        let all = state.withLock { state in
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for waiting in all { waiting.reply(.failure(failure)) }
    }

    /// Counts a failure.
    ///
    /// After too many in a row, the program is left out for a while.
    private func count(_ failure: MessageFailure) {
        let paused: (process: ProgramProcess?, seconds: Int)? = state.withLock { state in
            guard !state.isStopped else { return nil }
            state.failures += 1
            guard state.failures >= declaration.failureLimit else { return nil }
            let seconds = min(Self.longestPause, 1 << min(state.pauses, 10))
            state.pauses += 1
            // The first failure after the pause begins the next pause.
            state.failures = declaration.failureLimit - 1
            state.pausedUntil = clock.now + .seconds(seconds)
            return (state.process.take(), seconds)
        }
        guard let paused else { return }
        paused.process?.kill()
        say("failed \(declaration.failureLimit) times (\(failure)), and is left out for \(paused.seconds) s")
        failAll(failure)
    }

    /// Writes a notice, unless there were too many recently.
    private func say(_ text: String) {
        guard let leftOut = state.withLock({ $0.limiter.admit(at: clock.now) }) else { return }
        if leftOut > 0 { notice("the program “\(declaration.name)”: \(leftOut) lines were left out") }
        notice("the program “\(declaration.name)”: \(text)")
    }
}
