import Testing

@testable import PinholeClass

@Suite("The texts of the lessons")
struct ClassTextTests {
    private static let names = ClassNames(ClassSeed("mia"), year: 2026)

    @Test("placeholders with a value are replaced, and other braces stay")
    func placeholders() {
        let text = #"{bank}:{port} {"a": "{bank}"} {none} {print $2} {{bank}} {"#
        let values = ["bank": "b.ö", "port": "{bank}", "": "x"]
        let filled = #"b.ö:{bank} {"a": "b.ö"} {none} {print $2} {b.ö} {"#
        #expect(ClassText.filled(Array(text.utf8), values) == filled)
        #expect(ClassText.filled(Array("{}".utf8), [:]) == "{}" && ClassText.filled([], values).isEmpty)
    }

    @Test("the teacher's key marks the outcome of each experiment, and a student's sheet none")
    func key() throws {
        func sheet(isKey: Bool) throws -> String {
            try Worksheet(ClassSeed("mia"), .english, isKey: isKey).html(Array(1...ClassLessons.count))
        }
        let trials = try ClassLessons(Self.names, .english, state: nil).texts.flatMap(\.trials)
        let marks = try sheet(isKey: true).count { $0 == "☑" }
        // The status of the shelf in lesson 11 is the student's own; the key has it as an answer.
        #expect(marks == trials.count - 1 && trials.count > 50)
        #expect(try !sheet(isKey: false).contains("☑"))
        #expect(try !sheet(isKey: false).contains("The pin of a CA accepts everything that this CA signs."))
        #expect(try sheet(isKey: true).contains("The pin of a CA accepts everything that this CA signs."))
    }

    @Test("each lesson has all parts in each language", arguments: ClassLanguage.allCases)
    func parts(_ language: ClassLanguage) throws {
        let texts = try ClassLessons(Self.names, language, state: nil).texts
        #expect(texts.map(\.number) == Array(1...ClassLessons.count))
        for text in texts {
            #expect(!text.summary.isEmpty && !text.story.isEmpty && !text.explanation.isEmpty)
            #expect(!text.teacher.isEmpty && text.goals.count >= 2 && text.steps.count >= 2, "\(text.title)")
            #expect((3...7).contains(text.tasks.count), "\(text.title)")
            #expect(text.tasks.allSatisfy { !$0.question.isEmpty && !$0.hints.isEmpty }, "\(text.title)")
            #expect(!text.trials.isEmpty && !text.why.isEmpty, "\(text.title)")
            for trial in text.trials {
                let choices = trial.choices.map(\.id)
                #expect(
                    choices.count >= 2 && Set(choices).count == choices.count,
                    "\(text.title) \(trial.id)"
                )
                #expect(!trial.question.isEmpty && trial.choices.allSatisfy { !$0.text.isEmpty })
                #expect(Set(trial.misconceptions.keys).isSubset(of: choices), "\(text.title) \(trial.id)")
                // Only the right choice has no misconception.
                #expect(trial.misconceptions.count >= choices.count - 1, "\(text.title) \(trial.id)")
            }
            #expect(Set(text.trials.map(\.id)).count == text.trials.count, "\(text.title)")
            let all = "\(text)"
            // A name in braces would be a placeholder that has no value.
            #expect(!all.contains(/\{[a-z]+\}/), "\(text.title)")
        }
    }

    @Test("both languages have the same commands and the same tasks")
    func languages() throws {
        let english = try ClassLessons(Self.names, .english, state: nil).texts
        let german = try ClassLessons(Self.names, .german, state: nil).texts
        for (one, other) in zip(english, german) {
            // A command that predicts would make the first prediction, which is the student's.
            #expect(!one.steps.contains { $0.commands.joined().contains("--predict") }, "\(one.title)")
            #expect(one.steps.map(\.commands) == other.steps.map(\.commands))
            #expect(one.tasks.map(\.id) == other.tasks.map(\.id))
            #expect(one.tasks.map(\.hints.count) == other.tasks.map(\.hints.count))
            #expect(one.minutes == other.minutes)
            #expect(one.trials.map(\.id) == other.trials.map(\.id))
            #expect(one.trials.map { $0.choices.map(\.id) } == other.trials.map { $0.choices.map(\.id) })
            #expect(
                one.trials.map { Set($0.misconceptions.keys) }
                    == other.trials.map { Set($0.misconceptions.keys) }
            )
        }
    }

    @Test("each task has an answer, or is checked by facts")
    func answers() throws {
        let facts: [Int: Set<String>] = [
            3: ["refused", "read"], 5: ["honest", "gateway", "misissued", "insider", "renewed", "backup"],
            6: ["safe", "protected"], 7: ["works", "untrusted", "names", "downgrade", "own"],
            9: ["predicted"], 10: ["predicted", "works", "refuses"], 11: ["predicted"],
            12: ["predicted", "works", "refuses"],
        ]
        for text in try ClassLessons(Self.names, .english, state: nil).texts {
            let answered = Set(try Self.names.answers(text.number).keys)
            #expect(answered.isDisjoint(with: facts[text.number] ?? []))
            #expect(answered.union(facts[text.number] ?? []) == Set(text.tasks.map(\.id)))
        }
    }
}
