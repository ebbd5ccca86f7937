import CClassTexts
package import PinholeModel

/// The texts of a lesson in one language, with the names of the student's world.
package struct ClassText: Sendable {
    /// A step: an explanation, and the commands of it.
    package struct Step: Sendable, Codable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described = [
            FieldJSON("page", "The way to do the step in the page; absent if it needs a terminal.")
        ]

        /// The text that says what to do.
        package var text: String
        /// The way to do the step in the page; `nil` if it can be done in a terminal alone.
        package var page: String?
        /// The lines for a shell, each one line for a shell in the folder of the class.
        package var commands: [String]
    }

    /// A task of the lesson: the question, and its hints from the first to the last.
    package struct Task: Sendable {
        /// The name of the task.
        package let id: String
        /// The question, in one paragraph or with choices below it.
        package var question: String
        /// The hints for the student; each one tells more than the one before.
        package var hints: [String]
    }

    /// An experiment: its setup, and the outcomes of which the student predicts one.
    package struct Trial: Sendable {
        /// An outcome that can be predicted.
        package struct Choice: Sendable, Codable {
            /// The word for the outcome.
            package let id: String
            /// The outcome in words.
            package let text: String
        }

        /// The name of the experiment.
        package let id: String
        /// The setup.
        package var question = ""
        /// The outcomes that can be predicted.
        package var choices: [Choice] = []
        /// The ideas behind wrong predictions, by the choice.
        package var misconceptions: [String: String] = [:]
        /// The explanation of the outcome; empty for none.
        package var explanation = ""

        /// The choice that comes out, the only one without a misconception; `nil` if the text does not tell it.
        package var outcome: String? {
            let outcomes = choices.map(\.id).filter { misconceptions[$0] == nil }
            return outcomes.count == 1 ? outcomes.first : nil
        }
    }

    /// The number, from 1.
    package let number: Int
    /// The title of the lesson.
    package let title: String
    /// The time that it takes in a class, in minutes.
    package let minutes: Int
    /// The subject of the lesson, in a sentence.
    package let summary: String
    /// The abilities that a student has afterwards.
    package let goals: [String]
    /// The story around the lesson.
    package let story: String
    /// The steps, in order.
    package let steps: [Step]
    /// The tasks, in order.
    package let tasks: [Task]
    /// The experiments, in order.
    package let trials: [Trial]
    /// The question to which the student answers with a sentence for the teacher.
    package let why: String
    /// The text that explains it.
    package let explanation: String
    /// Advice for the teacher.
    package let teacher: String

    /// Returns all lessons in a language.
    ///
    /// - Parameters:
    ///   - language: The language.
    ///   - values: The values of placeholders, by their names without braces.
    /// - Returns: The lessons, in order.
    package static func all(_ language: ClassLanguage, _ values: [String: String]) -> [ClassText] {
        var count = 0
        let bytes = language == .german ? pinhole_lessons_de(&count) : pinhole_lessons_en(&count)
        let text = Array(UnsafeBufferPointer(start: bytes, count: count))
        return LessonParser(filled(text, values)).lessons
    }

    /// Replaces placeholders by their values.
    ///
    /// A search for each of some 40 names took most of the time of a request for the lessons, so the text is read once.
    static func filled(_ text: [UInt8], _ values: [String: String]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(2 * text.count)
        var rest = text[...]
        while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
            result += rest[..<brace]
            rest = rest[brace...]
            let name = rest.dropFirst().prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
            let end = rest[name.endIndex...].prefix(1)
            if end.first == UInt8(ascii: "}"), let value = values[String(decoding: name, as: UTF8.self)] {
                result += value.utf8
                rest = rest[end.endIndex...]
            } else {
                result += rest.prefix(1)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result + rest, as: UTF8.self)
    }
}

/// Reads the file of the lessons: headings of Markdown, and under each its parts.
private struct LessonParser {
    private(set) var lessons: [ClassText] = []

    init(_ text: String) {
        var sections: [String: [String]] = [:]
        var heading = ""
        var section = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("# ") {
                add(heading, sections)
                (heading, section, sections) = (String(line.dropFirst(2)), "", [:])
            } else if line.hasPrefix("## ") {
                section = String(line.dropFirst(3))
                sections[section] = []
            } else {
                sections[section, default: []].append(String(line))
            }
        }
        add(heading, sections)
    }

    private mutating func add(_ heading: String, _ sections: [String: [String]]) {
        let parts = heading.split(separator: ". ", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[0]) else { return }
        let head = sections[""] ?? []
        let minutes = head.lazy.compactMap { line in
            line.hasPrefix("minutes: ") ? Int(line.dropFirst(9)) : nil
        }.first
        lessons.append(
            ClassText(
                number: number,
                title: String(parts[1]),
                minutes: minutes ?? 30,
                summary: Self.joined(head.filter { !$0.hasPrefix("minutes: ") }),
                goals: (sections["Goals"] ?? []).filter { $0.hasPrefix("- ") }.map {
                    String($0.dropFirst(2))
                },
                story: Self.joined(sections["Story"] ?? []),
                steps: Self.steps(sections["Steps"] ?? []),
                tasks: Self.tasks(sections["Tasks"] ?? []),
                trials: Self.trials(sections["Experiments"] ?? []),
                why: Self.joined(sections["Why"] ?? []),
                explanation: Self.joined(sections["Explanation"] ?? []),
                teacher: Self.joined(sections["Teacher"] ?? [])
            )
        )
    }

    private static func joined(_ lines: [String]) -> String {
        lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func steps(_ lines: [String]) -> [ClassText.Step] {
        var steps: [ClassText.Step] = []
        for line in lines where !line.isEmpty {
            if line.hasPrefix("    @ ") {
                guard !steps.isEmpty else { continue }
                steps[steps.count - 1].page = String(line.dropFirst(6))
            } else if line.hasPrefix("    ") {
                guard !steps.isEmpty else { continue }
                steps[steps.count - 1].commands.append(String(line.dropFirst(4)))
            } else if let dot = line.firstRange(of: ". ") {
                steps.append(ClassText.Step(text: String(line[dot.upperBound...]), page: nil, commands: []))
            }
        }
        return steps
    }

    /// Reads experiments: a heading, the setup, “- CHOICE: outcome”, “! CHOICE: misconception” and “> explanation”.
    private static func trials(_ lines: [String]) -> [ClassText.Trial] {
        var trials: [ClassText.Trial] = []
        for line in lines where !line.isEmpty {
            if line.hasPrefix("### ") {
                trials.append(ClassText.Trial(id: String(line.dropFirst(4))))
                continue
            }
            guard var trial = trials.popLast() else { continue }
            let parts = line.dropFirst(2).split(separator: ": ", maxSplits: 1).map(String.init)
            if line.hasPrefix("- "), parts.count == 2 {
                trial.choices.append(ClassText.Trial.Choice(id: parts[0], text: parts[1]))
            } else if line.hasPrefix("! "), parts.count == 2 {
                trial.misconceptions[parts[0]] = parts[1]
            } else if line.hasPrefix("> ") {
                trial.explanation = String(line.dropFirst(2))
            } else {
                trial.question += trial.question.isEmpty ? line : "\n\(line)"
            }
            trials.append(trial)
        }
        return trials
    }

    private static func tasks(_ lines: [String]) -> [ClassText.Task] {
        var tasks: [ClassText.Task] = []
        for line in lines where !line.isEmpty {
            if line.hasPrefix("### ") {
                tasks.append(ClassText.Task(id: String(line.dropFirst(4)), question: "", hints: []))
            } else if !tasks.isEmpty {
                if line.hasPrefix("> ") {
                    tasks[tasks.count - 1].hints.append(String(line.dropFirst(2)))
                } else {
                    let before = tasks[tasks.count - 1].question
                    tasks[tasks.count - 1].question = before.isEmpty ? line : "\(before)\n\(line)"
                }
            }
        }
        return tasks
    }
}
