import ArgumentParser
import PinholeClass

/// `pinhole class hint`.
struct ClassHintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hint",
        abstract: "Show the next hint for a task.",
        discussion: """
            Each hint tells more than the one before. The results of the student have the number of hints.

            EXAMPLES
              pinhole class hint 2
                  for the first task that is not done
              pinhole class hint 2 pin
            """
    )

    @Argument(help: "The number of the lesson.", transform: LessonNumber.parse)
    var lesson: Int

    @Argument(help: "The task; without it, the first one that is not done.")
    var task: String?

    @OptionGroup var options: ClassOptions

    func run() async throws {
        let check = try options.check()
        let tasks = try check.lesson(lesson).tasks
        let record = try check.record()
        guard
            let chosen = tasks.first(where: {
                task == nil ? record[lesson].passed[$0.id] == nil : $0.id == task
            })
        else {
            guard let task else { return StandardOutput.write("every task of lesson \(lesson) is done") }
            throw ClassFailure(
                "lesson \(lesson) has no task “\(task)”",
                remedy: "its tasks: \(tasks.map(\.id).joined(separator: ", "))"
            )
        }
        StandardOutput.show(try check.hint(lesson, chosen))
    }
}
