import ArgumentParser
import Glibc
import PinholeClass
import PinholeFormats
import PinholeSession

/// `pinhole class lesson`.
struct ClassLessonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lesson",
        abstract: "Show a lesson: its story, its steps and its tasks.",
        discussion: """
            EXAMPLES
              pinhole class lesson
                  all lessons, and what is done
              pinhole class lesson 3
              pinhole class lesson 3 --teacher
                  with the explanation and the advice for teachers
            """
    )

    @Argument(help: "The number of the lesson.", transform: LessonNumber.parse)
    var lesson: Int?

    @Flag(help: "Show the explanation and the advice for teachers as well.")
    var teacher = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var language: ClassLanguageOptions
    @OptionGroup var options: ClassOptions

    func run() async throws {
        let check = try options.check()
        let own = language.language ?? check.state.spoken
        let lessons = try ClassLessons(check.state.names, own, state: check.state)
        var output = LessonOutput(
            record: try check.record(),
            style: .forDescriptor(STDOUT_FILENO),
            language: own
        )
        guard let lesson else { return StandardOutput.show(output.list(lessons.texts)) }
        // The failure of a lesson that the class does not have names it.
        let text = try lessons[lesson] ?? check.lesson(lesson)
        if json {
            var spoken = check
            spoken.language = own
            for json in try spoken.lessons() where json.number == lesson {
                StandardOutput.write(JSONLine.text(json))
            }
        } else {
            output.answered = Set(text.tasks.map(\.id)).subtracting(try check.facts(of: lesson))
            StandardOutput.show(output.lesson(text, forTeacher: teacher))
        }
    }
}

/// Lays out lessons for the terminal.
struct LessonOutput {
    let record: ClassRecord
    let style: Style
    let language: ClassLanguage
    /// The tasks of the lesson that need an answer.
    var answered: Set<String> = []

    private func say(_ english: String, _ german: String) -> String { language.say(english, german) }

    /// Lists the lessons with what is done.
    func list(_ texts: [ClassText]) -> String {
        texts.map { text in
            let done = text.tasks.count { record[text.number].passed[$0.id] != nil }
            let count = "\(done)/\(text.tasks.count)"
            let colour: Style.Colour = done == text.tasks.count ? .green : .faint
            return "\(text.number)  \(style.paint(count, colour))  \(text.title) (\(text.minutes) min)"
        }.joined(separator: "\n")
    }

    /// Lays out a lesson.
    func lesson(_ text: ClassText, forTeacher: Bool) -> String {
        let entry = record[text.number]
        var lines = [
            style.paint("\(text.number). \(text.title)", .bold) + " (\(text.minutes) min)", text.summary, "",
            text.story, "", style.paint(say("STEPS", "SCHRITTE"), .bold),
        ]
        for (index, step) in text.steps.enumerated() {
            lines.append("\(index + 1). \(step.text)")
            lines += step.commands.map { "     \(style.paint($0, .cyan))" }
        }
        lines += ["", style.paint(say("TASKS", "AUFGABEN"), .bold)]
        for task in text.tasks {
            let mark = entry.passed[task.id] != nil ? style.paint("✓", .green) : "○"
            let question = task.question.split(separator: "\n").map(String.init)
            lines.append("\(mark) \(style.paint(task.id, .bold)): \(question.first ?? "")")
            lines += question.dropFirst()
        }
        if !text.trials.isEmpty {
            let open = text.trials.count { entry.predictions?[$0.id] == nil }
            lines += [
                "",
                say(
                    "Experiments: \(text.trials.count), of which \(open) are not predicted yet",
                    "Experimente: \(text.trials.count), davon \(open) noch nicht vorhergesagt"
                ),
                "     pinhole class try \(text.number)",
            ]
        }
        lines += ["", say("Answers and check:", "Antworten und Prüfung:")]
        let first = text.tasks.first { answered.contains($0.id) }.map { " \($0.id)=…" } ?? ""
        lines.append("     pinhole class check \(text.number)\(first)")
        lines += ["", "\(say("For the teacher:", "Für die Lehrkraft:")) \(text.why)"]
        lines.append("     pinhole class check \(text.number) why='…'")
        let isDone = text.tasks.allSatisfy { entry.passed[$0.id] != nil }
        if forTeacher || isDone {
            lines += [
                "", style.paint(say("WHAT IS BEHIND IT", "WAS DAHINTERSTECKT"), .bold), text.explanation,
            ]
        }
        if forTeacher {
            lines += ["", style.paint(say("FOR THE TEACHER", "FÜR DIE LEHRKRAFT"), .bold), text.teacher]
        }
        return lines.joined(separator: "\n")
    }
}
