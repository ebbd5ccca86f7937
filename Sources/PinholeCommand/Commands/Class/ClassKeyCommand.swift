import ArgumentParser
import PinholeClass
import PinholeSession

/// `pinhole class key`.
struct ClassKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Print the answers of a student's world, for the teacher.",
        discussion: """
            EXAMPLES
              pinhole class key --seed mia
              pinhole class key --seed mia --secret teacher.key 4
            """
    )

    @Argument(help: "The number of the lesson; without it, all lessons.", transform: LessonNumber.parse)
    var lesson: Int?

    @OptionGroup var unit: ClassUnitOptions
    @OptionGroup var seed: ClassSeedOptions

    func validate() throws {
        guard seed.seed != nil else { throw ValidationError("expected --seed STUDENT") }
    }

    func run() async throws {
        let names = ClassNames(try seed.seed(of: seed.seed ?? ""))
        let texts = try ClassLessons(names, .english, state: nil).texts
        let numbers = lesson.map { [$0] } ?? (unit.lessons ?? .standard).numbers
        for text in texts where numbers.contains(text.number) {
            let answers = try names.answers(text.number)
            StandardOutput.write("\(text.number). \(text.title)")
            for task in text.tasks {
                StandardOutput.show("  \(task.id): \(answers[task.id]?.text ?? "checked by facts")")
            }
        }
    }
}
