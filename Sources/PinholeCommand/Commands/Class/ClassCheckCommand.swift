import ArgumentParser
import Glibc
import PinholeClass
import PinholeFormats
import PinholeSession

/// `pinhole class check`.
struct ClassCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a lesson, with new answers or without.",
        discussion: """
            Answers that were given before count as well. The exit code is 1 if a task is not done yet.

            EXAMPLES
              pinhole class check 3
              pinhole class check 2 'issuer=Example TLS CA 1' until=2036-03-07
              pinhole class check 2 why='The root is on the device, and not in the chain.'
                  a sentence for the teacher
              pinhole class check 7 --directory classes/anna --client anna.py
                  runs a copy that you have read, which the student cannot change
            """
    )

    @Argument(help: "The number of the lesson.", transform: LessonNumber.parse)
    var lesson: Int

    @Argument(
        help: .value("task=answer", "Answers, each as TASK=ANSWER."),
        transform: { text in
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw ValidationError("expected TASK=ANSWER, found “\(text)”")
            }
            return Answer(task: String(text[..<equals]), text: String(text[text.index(after: equals)...]))
        }
    )
    var answers: [Answer] = []

    @Option(
        help: .value(
            "file",
            "Check and run this file in lesson 7 instead of the student's: a copy that you have read."
        )
    )
    var client: String?

    @Flag(help: "Print one JSON object a task.")
    var json = false

    @OptionGroup var options: ClassOptions

    func validate() throws {
        guard client == nil || lesson == 7 else {
            throw ValidationError("--client: expected lesson 7, found lesson \(lesson)")
        }
    }

    /// An answer to a task.
    struct Answer: Sendable, Codable {
        let task: String
        let text: String
    }

    func run() async throws {
        var check = try options.check()
        check.clientFile = client
        let tasks = try check.tasks(of: lesson)
        for answer in answers where !tasks.contains(answer.task) && answer.task != ClassCheck.why {
            throw CommandFailure.usage(
                "lesson \(lesson) has no task “\(answer.task)”",
                remedy: "its tasks: \(tasks.joined(separator: ", "))"
            )
        }
        let facts = try check.facts(of: lesson)
        for answer in answers where facts.contains(answer.task) {
            throw CommandFailure.usage(
                "facts decide about “\(answer.task)”, so there is nothing to answer",
                remedy: "pinhole class check \(lesson)"
            )
        }
        let results = try await check.check(
            lesson,
            answers: Dictionary(answers.map { ($0.task, $0.text) }) { $1 },
            tasks: tasks
        )
        let style = Style.forDescriptor(STDOUT_FILENO)
        for result in results {
            if json {
                StandardOutput.write(JSONLine.text(result))
                continue
            }
            let mark =
                switch result.state {
                case .passed: style.paint("✓", .green)
                case .wrong: style.paint("✗", .red)
                case .open: "○"
                }
            StandardOutput.show(
                "\(mark) \(result.task)\(result.message.isEmpty ? "" : ": ")\(Plain.printable(result.message))"
            )
        }
        let done = results.count { $0.state == .passed }
        let all = results.count
        if !json {
            StandardOutput.write(
                check.say(
                    "\(done) of \(all) tasks of lesson \(lesson) are done",
                    "\(done) von \(all) Aufgaben der Lektion \(lesson) sind erledigt"
                )
            )
        }
        guard done == results.count else { throw ExitCode(ExitStatus.negative.rawValue) }
    }
}

extension ClassCheck {
    /// Returns the names of a lesson's tasks, in order.
    func tasks(of lesson: Int) throws(ClassFailure) -> [String] {
        try self.lesson(lesson).tasks.map(\.id)
    }

    /// Returns the tasks of a lesson that facts decide.
    func facts(of lesson: Int) throws(ClassFailure) -> Set<String> {
        let tasks = Set(try tasks(of: lesson))
        return tasks.subtracting(try answerable(lesson))
    }

    /// Returns a lesson in the language of the class.
    func lesson(_ number: Int) throws(ClassFailure) -> ClassText {
        try state.checkHas(number)
        guard let text = try text(of: number) else { throw ClassFailure("there is no lesson \(number)") }
        return text
    }
}
