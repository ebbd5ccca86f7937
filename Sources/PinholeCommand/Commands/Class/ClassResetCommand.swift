import ArgumentParser
import PinholeClass

/// `pinhole class reset`.
struct ClassResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Begin a lesson again: its files are made anew, and its results are forgotten.",
        discussion: """
            EXAMPLES
              pinhole class reset 7
              pinhole class reset
                  all lessons
            """
    )

    @Argument(help: "The number of the lesson; without it, all lessons.", transform: LessonNumber.parse)
    var lesson: Int?

    @OptionGroup var options: ClassOptions

    func run() async throws {
        let check = try options.check()
        let lessons = lesson.map { [$0] } ?? check.state.choice.numbers
        try check.reset(lessons)
        StandardOutput.write(
            lesson.map { check.say("lesson \($0) begins again", "Lektion \($0) beginnt von vorn") }
                ?? check.say("all lessons begin again", "alle Lektionen beginnen von vorn")
        )
    }
}
