import PinholeLock
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeRuntime

/// Programs that are asked in lines of JSON; those here are one line of shell.
@Suite("Program")
struct ProgramTests {
    /// What was said to people.
    private final class Notices: Sendable {
        let texts = Lock<[String]>([])
    }

    private let notices = Notices()

    private func program(
        _ script: String,
        patience: Duration = .seconds(60),
        failures: Int = 3
    ) -> Program {
        var settings = ProgramSettings(name: "it", command: ["sh", "-c", script])
        settings.patience = patience
        settings.failures = failures
        return Program(settings) { [notices] text in notices.texts.withLock { $0.append(text) } }
    }

    private func ask(_ program: Program, _ word: String) async -> Result<[String: JSONValue], ProgramFailure>
    {
        await withCheckedContinuation { continuation in
            program.ask({ $0.member("word", word) }) { continuation.resume(returning: $0) }
        }
    }

    @Test("is started once, asked many times, and answers in any order")
    func answers() async throws {
        let program = program("cat")
        await withTaskGroup(of: Bool.self) { group in
            for number in 1...50 {
                group.addTask {
                    guard case .success(let answer) = await ask(program, "w\(number)") else { return false }
                    return answer["word"] == .string("w\(number)")
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        program.stop()
    }

    @Test("large questions and answers pass")
    func large() async throws {
        let program = program("cat")
        let word = String(repeating: "x", count: 4 << 20)
        guard case .success(let answer) = await ask(program, word) else {
            Issue.record("no answer")
            return
        }
        #expect(answer["word"] == .string(word))
        program.stop()
    }

    @Test("one that dies fails what waits, and is started again")
    func death() async {
        let program = program("read line; echo \"$line\"; read line; exit 7")
        for _ in 1...2 {
            guard case .success = await ask(program, "first") else {
                Issue.record("no answer")
                return
            }
            guard case .failure(let failure) = await ask(program, "second") else {
                Issue.record("an answer")
                return
            }
            #expect(failure.description == "it ended with the code 7")
        }
        #expect(
            notices.texts.withLock { $0 }.allSatisfy { $0 == "the program “it”: it ended with the code 7" }
        )
        program.stop()
    }

    @Test("one that takes too long fails the question, and is left out after some")
    func slowness() async {
        let program = program("while read line; do :; done", patience: .milliseconds(20), failures: 2)
        for _ in 1...2 {
            guard case .failure(let failure) = await ask(program, "x") else {
                Issue.record("an answer")
                return
            }
            #expect(failure.description == "it took longer than 0.02 s", "\(failure)")
        }
        guard case .failure(let failure) = await ask(program, "x") else {
            Issue.record("an answer")
            return
        }
        #expect(failure.description.hasPrefix("it failed 2 times, and is left out for"), "\(failure)")
        #expect(notices.texts.withLock { $0 }.contains { $0.contains("and is left out for 1 s") })
        program.stop()
    }

    @Test("one that there is not says so")
    func missing() async {
        let program = Program(ProgramSettings(name: "it", command: ["/nowhere/it"])) { _ in }
        guard case .failure(let failure) = await ask(program, "x") else {
            Issue.record("an answer")
            return
        }
        #expect(failure.description == "could not start /nowhere/it: No such file or directory")
    }

    @Test("what is no answer is said, and answers that follow count")
    func nonsense() async {
        let program = program("read line; echo nonsense; echo '{}'; echo; echo \"$line\"; cat")
        guard case .success = await ask(program, "x") else {
            Issue.record("no answer")
            return
        }
        #expect(notices.texts.withLock { $0 }.count == 2)
        program.stop()
        guard case .failure(let failure) = await ask(program, "x") else {
            Issue.record("an answer")
            return
        }
        #expect(failure.description == "the proxy is being stopped")
    }
}
