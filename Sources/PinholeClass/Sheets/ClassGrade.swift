package import PinholeCrypto
import PinholeModel

/// The results of a class: one row for each student.
///
/// A file belongs to the student that its content names and its signature proves, whatever the file is called. Of
/// several such files, the newest counts. Answers are compared with the world of that student. A file's word about
/// itself counts only for tasks that have no answer, and only with a right signature.
package struct ClassGrade: Sendable {
    /// The results of one student.
    package struct Row: Sendable {
        /// The id of the student.
        package let student: String
        /// The display name of the student; the id if the list of the class has none.
        package let name: String
        /// The group of the student; empty if the list of the class has none.
        package let group: String
        /// The lessons of the class, each with the number of its passed tasks and of all its tasks.
        package let lessons: [(number: Int, passed: Int, all: Int)]
        /// The points: four for a task that was passed without a wrong answer, and one less for each wrong answer.
        package let points: Int
        /// The student's sentences for the teacher, by the number of the lesson.
        package let whys: [Int: String]
        /// The first predictions of experiments, in the order of the lessons.
        package let predictions: [Prediction]
        /// The number of checks.
        package let checks: Int
        /// The number of hints.
        package let hints: Int
        /// The points that the teacher has to look at; empty if there are none.
        package let remarks: [String]
        /// The facts about the student's files that are no fault, such as another name.
        package let notes: [String]

        /// The number of tasks that were passed.
        package var passed: Int { lessons.map(\.passed).reduce(0, +) }
        /// The number of all tasks.
        package var all: Int { lessons.map(\.all).reduce(0, +) }
        /// The largest number of points.
        package var mostPoints: Int { all * ClassGrade.taskPoints }
    }

    /// The first prediction of an experiment beside its outcome.
    package struct Prediction: Sendable, Encodable {
        /// The number of the lesson.
        package let lesson: Int
        /// The id of the experiment.
        package let trial: String
        /// The choice that the student predicted.
        package let prediction: String
        /// The choice that was right.
        package let outcome: String

        /// Whether the prediction came out so.
        package var isRight: Bool { prediction == outcome }
    }

    /// The points of a task that was passed without a wrong answer.
    package static let taskPoints = 4

    /// The worlds of students, which are kept so that a second grade takes less time.
    package struct Worlds: Sendable {
        private let secret: [UInt8]
        /// The lessons of the class.
        let lessons: LessonChoice
        private var known: [String: World] = [:]
        /// The number of worlds that were made.
        var count: Int { known.count }

        /// Creates the worlds of a class whose teacher has a secret, or an empty one.
        package init(secret: [UInt8], lessons: LessonChoice = .standard) {
            self.secret = secret
            self.lessons = lessons
        }

        fileprivate mutating func world(_ student: String, year: Int?) throws(CryptoFailure) -> World {
            let key = "\(year ?? 0) \(student)"
            if let world = known[key] { return world }
            let world = try World(student, year: year, secret, lessons)
            known[key] = world
            return world
        }
    }

    /// A file with the record in it.
    private struct Entry {
        let file: SubmittedFile
        /// The student that the content names, or the file's name if the content names none.
        let student: String
        /// `nil` if the file has no record.
        let record: ClassRecord?
        let isSigned: Bool

        /// The moment of the file, for comparisons; files of earlier versions come first.
        var moment: String { record?.saved ?? "" }
    }

    /// The tasks of a student with their right answers.
    fileprivate struct World: Sendable {
        let seed: ClassSeed
        /// A lesson of the class.
        struct Lesson: Sendable {
            let number: Int
            let tasks: [String]
            let answers: [String: ExpectedAnswer]
            /// The outcomes of the experiments, as far as the text tells them.
            let outcomes: [(trial: String, outcome: String)]
        }

        let lessons: [Lesson]

        init(
            _ student: String,
            year: Int?,
            _ secret: [UInt8],
            _ choice: LessonChoice
        ) throws(CryptoFailure) {
            seed = ClassSeed(student, secret: secret)
            let names = ClassNames(seed, year: year)
            let texts = try ClassLessons(names, .english, state: nil)
            var lessons: [Lesson] = []
            for text in choice.numbers.compactMap({ texts[$0] }) {
                let answers = try names.answers(text.number)
                let outcomes = text.trials.compactMap { trial in
                    trial.outcome.map { (trial: trial.id, outcome: $0) }
                }
                lessons.append(
                    Lesson(
                        number: text.number,
                        tasks: text.tasks.map(\.id),
                        answers: answers,
                        outcomes: outcomes
                    )
                )
            }
            self.lessons = lessons
        }

        /// Whether an answer can only come from this world: it is right here, and nobody would guess it.
        func isOwn(_ index: Int, _ task: String, _ answer: String) -> Bool {
            guard let right = lessons[index].answers[task] else { return false }
            return switch right {
            case .own, .pin: right.accepts(answer)
            case .station(_, let pin): answer.contains(pin)
            case .text, .letters, .sequence, .numbers, .commonName, .day, .days: false
            }
        }
    }

    /// A student who may have made a file that names another one.
    private typealias Author = (student: String, world: World)

    /// The rows, in the natural order of the display names.
    package let rows: [Row]
    /// The lessons of the class.
    package let choice: LessonChoice

    /// Grades files.
    ///
    /// - Parameters:
    ///   - files: The files as they were found, in any order.
    ///   - members: The students of the class, who have rows without files as well; empty if no list is known.
    ///   - worlds: The worlds of the students.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package init(
        _ files: [SubmittedFile],
        of members: [ClassMember] = [],
        in worlds: inout Worlds
    ) throws(CryptoFailure) {
        choice = worlds.lessons
        var entries: [Entry] = []
        for file in files { entries.append(try Self.entry(file, in: &worlds)) }
        let known = Dictionary(members.map { ($0.id, $0) }) { first, _ in first }
        let students = Set(entries.map(\.student)).union(known.keys)
        let groups = Dictionary(grouping: entries, by: \.student)
        var own: [String: World] = [:]
        var proved: Set<String> = []
        for student in students {
            let records = (groups[student] ?? []).filter { $0.record != nil }
            let signed = records.first(where: \.isSigned)
            // A world takes many times as long as a file that is damaged.
            guard known[student] != nil || !records.isEmpty else { continue }
            let year = (signed ?? records.first)?.record?.year
            own[student] = try worlds.world(student, year: Self.year(year))
            if known[student] != nil || signed != nil { proved.insert(student) }
        }
        // An archive can invent any number of names, and each file is compared with the worlds of all authors.
        let authors: [Author] = own.sorted { $0.key < $1.key }
            .filter { own.count <= ClassRoster.most || proved.contains($0.key) }
            .map { ($0.key, $0.value) }
        // The lessons of a class are the same for all of its students.
        let anyone = if let own = own.values.first { own } else { try worlds.world("nobody", year: nil) }
        rows = students.map { student in
            Self.row(
                known[student] ?? ClassMember(id: student),
                groups[student] ?? [],
                (own[student], anyone.lessons),
                authors
            )
        }.sorted { NaturalOrder.precedes("\($0.name)\t\($0.student)", "\($1.name)\t\($1.student)") }
    }

    private static func year(_ year: Int?) -> Int? { year.flatMap { (2000...2900).contains($0) ? $0 : nil } }

    private static func entry(_ file: SubmittedFile, in worlds: inout Worlds) throws(CryptoFailure) -> Entry {
        guard let record = try? ClassRecord(file.content), ClassSeed.isName(record.student) else {
            return Entry(file: file, student: file.namedStudent, record: nil, isSigned: false)
        }
        let world = try worlds.world(record.student, year: year(record.year))
        return Entry(
            file: file,
            student: record.student,
            record: record,
            isSigned: record.isSigned(by: world.seed)
        )
    }

    private static func row(
        _ member: ClassMember,
        _ entries: [Entry],
        _ own: (world: World?, lessons: [World.Lesson]),
        _ authors: [Author]
    ) -> Row {
        // A signed file counts before any other, and a later one before an earlier one.
        let ordered = entries.sorted {
            ($0.isSigned ? 1 : 0, $0.moment, $0.file.place) > ($1.isSigned ? 1 : 0, $1.moment, $1.file.place)
        }
        var lessons = own.lessons.map { (number: $0.number, passed: 0, all: $0.tasks.count) }
        var remarks = ordered.compactMap {
            fault(of: $0, isAlone: ordered.count == 1, own.world, authors)
        }
        guard let best = ordered.first, let record = best.record, let world = own.world else {
            return Row(
                student: member.id,
                name: member.name,
                group: member.group,
                lessons: lessons,
                points: 0,
                whys: [:],
                predictions: [],
                checks: 0,
                hints: 0,
                remarks: remarks,
                notes: ordered.isEmpty ? ["no results"] : []
            )
        }
        var copied: [String: Set<String>] = [:]
        var points = 0
        /// A passed task is worth a point at least, and no more in a file whose counts may be wrong.
        func pass(_ index: Int, _ task: String) {
            lessons[index].passed += 1
            let tries = record[lessons[index].number].tries?[task] ?? 0
            points += best.isSigned ? max(1, taskPoints - min(tries, taskPoints)) : 1
        }
        for (index, known) in world.lessons.enumerated() {
            let lesson = record[known.number]
            for task in known.tasks {
                guard let right = known.answers[task] else {
                    if best.isSigned, lesson.passed[task] != nil { pass(index, task) }
                    continue
                }
                guard let answer = lesson.answers[task], !answer.isEmpty else { continue }
                if right.accepts(answer) {
                    pass(index, task)
                } else {
                    for (other, world) in authors
                    where other != member.id && world.isOwn(index, task, answer) {
                        copied[other, default: []].insert("\(known.number) \(task)")
                    }
                }
            }
        }
        for (student, tasks) in copied.sorted(by: { $0.key < $1.key }) {
            remarks.append("answers of \(student): \(tasks.sorted().joined(separator: ", "))")
        }
        return Row(
            student: member.id,
            name: member.name,
            group: member.group,
            lessons: lessons,
            points: points,
            whys: Dictionary(
                uniqueKeysWithValues: lessons.map(\.number).compactMap { number in
                    record[number].why.map { (number, $0) }
                }
            ),
            predictions: world.lessons.flatMap { lesson in
                lesson.outcomes.compactMap { trial, outcome in
                    record[lesson.number].predictions?[trial].map {
                        Prediction(lesson: lesson.number, trial: trial, prediction: $0, outcome: outcome)
                    }
                }
            },
            checks: record.lessons.values.map(\.checks).reduce(0, +),
            hints: record.lessons.values.flatMap(\.hints.values).reduce(0, +),
            remarks: remarks,
            notes: notes(ordered.filter(\.isSigned)) + others(record, than: lessons.map(\.number))
        )
    }

    /// The notes about the signed files of a student, of which the first counts.
    private static func notes(_ entries: [Entry]) -> [String] {
        guard let best = entries.first else { return [] }
        let others = entries.dropFirst()
        var notes: [String] = []
        if best.file.stem != best.student { notes.append("handed in as \(best.file.place)") }
        if !others.isEmpty {
            // The same bytes twice are one work.
            let list = others.map { other in
                other.file.content == best.file.content
                    ? "\(other.file.place) (the same)" : "\(other.file.place) (\(other.moment))"
            }
            notes.append(
                "\(best.file.place) (\(best.moment)) counts, as the newest; also handed in: \(list.joined(separator: ", "))"
            )
        }
        return notes
    }

    /// The note about work in lessons that are not graded; empty if there is none.
    private static func others(_ record: ClassRecord, than graded: [Int]) -> [String] {
        let begun = (1...LessonChoice.count).filter { number in
            let lesson = record[number]
            return !graded.contains(number)
                && (lesson.checks > 0 || !lesson.answers.isEmpty || lesson.predictions?.isEmpty == false)
        }
        guard let choice = LessonChoice(begun.map { "\($0)" }.joined(separator: ",")) else { return [] }
        return ["work in lessons that are not graded: \(choice); grade them as well with --lessons"]
    }

    /// Tells what is wrong with a file; `nil` if nothing is.
    private static func fault(
        of entry: Entry,
        isAlone: Bool,
        _ world: World?,
        _ authors: [Author]
    ) -> String? {
        // The place is of use if the name of the file does not say it.
        let start = isAlone && entry.file.stem == entry.student ? "" : "\(entry.file.place): "
        if let fault = entry.file.fault { return "\(start)the file cannot be read: \(fault)" }
        guard let record = entry.record else { return "\(start)the file is damaged" }
        guard !entry.isSigned, let world else { return nil }
        var renamed = record
        for (other, world) in authors where other != entry.student {
            renamed.student = other
            if renamed.isSigned(by: world.seed) {
                return "\(start)the member “student” was changed from \(other) to \(entry.student)"
            }
            if record.isSigned(by: world.seed) { return "\(start)made with the seed of \(other)" }
        }
        guard let changes = record.changes(since: world.seed) else {
            return
                "\(start)not signed with the seed of \(entry.student): edited by hand, or made with another secret or seed"
        }
        let shown = changes.prefix(mostChanges).joined(separator: ", ")
        let rest = changes.count - mostChanges
        return "\(start)changed by hand: \(changes.isEmpty ? "the signature" : shown)"
            + (rest > 0 ? " and \(rest) more" : "")
    }

    /// The most changes that a remark lists.
    private static let mostChanges = 8

    // MARK: Notation

    /// The rows as CSV, with a head.
    package var csv: String {
        let head =
            ["student"] + choice.numbers.map { "lesson \($0)" }
            + ["passed", "tasks", "checks", "hints", "remarks", "name", "group", "notes", "points"]
        return ([head] + rows.map(Self.cells)).map { CSVText.line($0) + "\n" }.joined()
    }

    private static func cells(_ row: Row) -> [String] {
        [row.student] + row.lessons.map { "\($0.passed)/\($0.all)" }
            + [
                "\(row.passed)", "\(row.all)", "\(row.checks)", "\(row.hints)",
                row.remarks.joined(separator: "; "), row.name, row.group, row.notes.joined(separator: "; "),
                "\(row.points)",
            ]
    }

    /// The points of each student as CSV with a head, for the import into a learning platform.
    package var points: String {
        let lines = rows.map { row in
            [row.student, row.name, row.group, "\(row.points)", "\(row.mostPoints)"]
        }
        return ([["id", "name", "group", "points", "maximum"]] + lines).map { CSVText.line($0) + "\n" }
            .joined()
    }

    /// The students' sentences for the teacher, by lesson; empty if there are none.
    private var whyTable: String {
        choice.numbers.map { lesson in
            let lines = rows.compactMap { row in
                row.whys[lesson].map { why in
                    "<tr><th>\(MarkupText.escape(row.name))</th><td>\(MarkupText.escape(why))</td></tr>"
                }
            }
            return lines.isEmpty ? "" : "<h2>Lesson \(lesson): why</h2><table>\(lines.joined())</table>"
        }.joined()
    }

    /// A table of the first predictions that came out so, by student and lesson; empty if there are none.
    private var predictionTable: String {
        let lines = rows.filter { !$0.predictions.isEmpty }.map { row in
            let cells = choice.numbers.map { lesson in
                let made = row.predictions.filter { $0.lesson == lesson }
                return made.isEmpty ? "<td></td>" : "<td>\(made.count(where: \.isRight))/\(made.count)</td>"
            }
            return "<tr><th>\(MarkupText.escape(row.name))</th>\(cells.joined())</tr>"
        }
        guard !lines.isEmpty else { return "" }
        let heads = choice.numbers.map { "<th>\($0)</th>" }.joined()
        return """
            <h2>Predictions that came out so</h2>
            <table><thead><tr><th>Student</th>\(heads)</tr></thead><tbody>\(lines.joined(separator: "\n"))</tbody></table>
            """
    }

    /// The rows as a page without references to other files.
    package var html: String {
        let heads =
            ["Student"] + choice.numbers.map { "\($0)" } + [
                "Passed", "Tasks", "Checks", "Hints", "Remarks", "Name", "Group", "Notes", "Points",
            ]
        let lines = rows.map { row in
            let cells = Self.cells(row).map { "<td>\(MarkupText.escape($0))</td>" }.joined()
            return "<tr\(row.remarks.isEmpty ? "" : " class=\"look\"")>\(cells)</tr>"
        }
        return ClassPage.text(
            title: "The class",
            language: .english,
            body: """
                <h1>The class</h1>
                <table><thead><tr>\(heads.map { "<th>\($0)</th>" }.joined())</tr></thead>
                <tbody>\(lines.joined(separator: "\n"))</tbody></table>
                \(predictionTable)
                \(whyTable)
                """
        )
    }
}
