package import PinholeCrypto
import PinholeModel

/// The worksheets of a student, or the teacher's key, made from the same texts as the lessons.
package struct Worksheet {
    private let names: ClassNames
    private let language: ClassLanguage
    private let isKey: Bool
    private let state: ClassFolder.State?

    /// Creates the sheets of a student.
    ///
    /// - Parameters:
    ///   - seed: The seed of the student.
    ///   - language: The language.
    ///   - isKey: Whether the answers and the advice for teachers are printed.
    ///   - state: The running class, for its ports; `nil` to print PORT in their place.
    package init(_ seed: ClassSeed, _ language: ClassLanguage, isKey: Bool, state: ClassFolder.State? = nil) {
        names = ClassNames(seed, year: state?.year)
        self.language = language
        self.isKey = isKey
        self.state = state
    }

    /// Returns the sheets as one HTML page without references to other files.
    ///
    /// - Parameter lessons: The numbers of the lessons.
    /// - Returns: The page.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package func html(_ lessons: [Int]) throws(CryptoFailure) -> String {
        let texts = try ClassLessons(names, language, state: state)
        var sections: [String] = []
        for number in lessons {
            guard let text = texts[number] else { continue }
            sections.append(section(text, try names.answers(number)))
        }
        return ClassPage.text(
            title: "\(say("Worksheets", "Arbeitsblätter")): \(names.seed.student)",
            language: language,
            body: sections.joined(separator: "\n")
        )
    }

    private func say(_ english: String, _ german: String) -> String { language.say(english, german) }

    private func section(_ text: ClassText, _ answers: [String: ExpectedAnswer]) -> String {
        let escape = MarkupText.escape
        let goals = text.goals.map { "<li>\(escape($0))</li>" }.joined()
        let steps = text.steps.map { step in
            let commands =
                step.commands.isEmpty ? "" : "<pre>\(escape(step.commands.joined(separator: "\n")))</pre>"
            return "<li>\(escape(step.text))\(commands)</li>"
        }
        let tasks = text.tasks.map { task in
            let lines = task.question.split(separator: "\n").map { escape(String($0)) }.joined(
                separator: "<br>"
            )
            let answer =
                isKey
                ? escape(answers[task.id]?.text ?? say("checked by facts", "durch Tatsachen geprüft")) : ""
            return
                "<div class=\"task\"><b>\(escape(task.id))</b> — \(lines)<div class=\"answer\">\(answer)</div></div>"
        }
        let trials = text.trials.map { trial in
            let question = trial.question.split(separator: "\n").map { escape(String($0)) }
            let choices = trial.choices.map { choice in
                "\(isKey && trial.outcome == choice.id ? "☑" : "☐") \(escape(choice.text))"
            }
            let explanation = isKey ? [escape(trial.explanation)].filter { !$0.isEmpty } : []
            return "<li>\((question + choices + explanation).joined(separator: "<br>"))</li>"
        }
        let advice =
            isKey
            ? """
            <h2>\(say("The background", "Was dahintersteckt"))</h2><p>\(escape(text.explanation))</p>
            <h2>\(say("For the teacher", "Für die Lehrkraft"))</h2><p>\(escape(text.teacher))</p>
            """ : ""
        return """
            <section>
            <p class="who">\(escape(names.seed.student)) · \(text.minutes) min</p>
            <h1>\(text.number). \(escape(text.title))</h1>
            <p>\(escape(text.summary))</p>
            <h2>\(say("Goals", "Ziele"))</h2><ul>\(goals)</ul>
            <h2>\(say("Story", "Geschichte"))</h2><p>\(escape(text.story))</p>
            <h2>\(say("Steps", "Schritte"))</h2><ol>\(steps.joined())</ol>
            <h2>\(say("Predict", "Vorhersagen"))</h2><ol>\(trials.joined())</ol>
            <h2>\(say("Tasks", "Aufgaben"))</h2>\(tasks.joined())
            \(advice)
            </section>
            """
    }
}
