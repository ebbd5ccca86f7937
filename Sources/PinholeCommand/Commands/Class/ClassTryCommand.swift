import ArgumentParser
import Glibc
import PinholeClass
import PinholeFormats
import PinholeSession

/// `pinhole class try`.
struct ClassTryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Make an experiment of a lesson, whose outcome is hidden until you predict it.",
        discussion: """
            The first prediction of each experiment is kept in the results. A wrong one costs no points, and shows the idea
            behind it.

            EXAMPLES
              pinhole class try 3
                  the experiments of lesson 3, and what can be predicted
              pinhole class try 3 before --predict refuses
              pinhole class try 3 before
                  runs an experiment again that was predicted before
            """
    )

    @Argument(help: "The number of the lesson.", transform: LessonNumber.parse)
    var lesson: Int

    @Argument(help: "The name of the experiment; without it, all are listed.")
    var trial: String?

    // An outcome may begin with a minus, such as -999.
    @Option(parsing: .unconditional, help: .value("outcome", "The outcome that you expect."))
    var predict: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var options: ClassOptions

    func validate() throws {
        guard trial != nil || predict == nil && !json else {
            throw ValidationError(
                "expected the name of an experiment: pinhole class try \(lesson) lists them"
            )
        }
    }

    func run() async throws {
        let check = try options.check()
        let text = try check.lesson(lesson)
        let style = Style.forDescriptor(STDOUT_FILENO)
        guard let trial else { return StandardOutput.show(try list(text, check, style)) }
        let report: ClassCheck.TrialReport?
        report = try await check.attempt(lesson, trial, predicting: predict)
        guard let report else {
            throw CommandFailure.usage(
                check.say(
                    "the outcome of \(trial) is hidden until you predict it",
                    "das Ergebnis von \(trial) bleibt verborgen, bis du es vorhersagst"
                ),
                remedy:
                    "pinhole class try \(lesson) \(trial) --predict \(check.say("CHOICE", "WAHL"))"
            )
        }
        guard !json else { return StandardOutput.write(JSONLine.text(report)) }
        var lines = [
            report.isRight
                ? style.paint(check.say("✓ as you predicted", "✓ wie vorhergesagt"), .green)
                : style.paint(
                    check.say(
                        "✗ you predicted \(report.prediction)",
                        "✗ vorhergesagt hast du \(report.prediction)"
                    ),
                    .yellow
                )
        ]
        lines.append(check.say("outcome: \(report.outcome)", "Ergebnis: \(report.outcome)"))
        // A response with its headers is one entry of several lines.
        lines += report.evidence.flatMap { $0.split(separator: "\n") }
            .map { "  \(Plain.printable(String($0)))" }
        lines += [report.misconception, report.explanation].filter { !$0.isEmpty }
        StandardOutput.show(lines.joined(separator: "\n"))
    }

    /// Lists the experiments with what can be predicted.
    private func list(
        _ text: ClassText,
        _ check: ClassCheck,
        _ style: Style
    ) throws(ClassFailure) -> String {
        let entry = try check.record()[lesson]
        let trials = text.trials.map { trial in
            let mark = entry.predictions?[trial.id].map { " (\($0))" } ?? ""
            let choices = trial.choices.map { "     \($0.id): \($0.text)" }
            return (["\(style.paint(trial.id, .bold))\(mark): \(trial.question)"] + choices).joined(
                separator: "\n"
            )
        }
        guard let next = text.trials.first(where: { entry.predictions?[$0.id] == nil }) else {
            return trials.joined(separator: "\n")
        }
        let command = "pinhole class try \(lesson) \(next.id) --predict \(check.say("CHOICE", "WAHL"))"
        let advice = "\n\(check.say("Predict an outcome:", "Sage ein Ergebnis voraus:"))\n     \(command)"
        return (trials + [advice]).joined(separator: "\n")
    }
}
