package import PinholeCrypto
import PinholeModel

/// The results of a class: one row for each file that a student handed in.
///
/// Answers are compared with the world of the student's own name. A file's word about itself counts only for tasks
/// that have no answer, and only with a right signature.
package struct ClassGrade: Sendable {
    /// The results of one student.
    package struct Row: Sendable {
        /// The name of the file, without “.json”.
        package let student: String
        /// The number of tasks that were passed in each lesson, and the number of all tasks of it.
        package let lessons: [(passed: Int, all: Int)]
        /// The number of checks.
        package let checks: Int
        /// The number of hints.
        package let hints: Int
        /// The points that the teacher has to look at; empty if there are none.
        package let remarks: [String]

        /// The number of tasks that were passed.
        package var passed: Int { lessons.map(\.passed).reduce(0, +) }
        /// The number of all tasks.
        package var all: Int { lessons.map(\.all).reduce(0, +) }
    }

    /// The worlds of students, which are kept so that a second grade takes less time.
    package struct Worlds: Sendable {
        private let secret: [UInt8]
        private var known: [String: World] = [:]

        /// Creates the worlds of a class whose teacher has a secret, or an empty one.
        package init(secret: [UInt8]) { self.secret = secret }

        fileprivate mutating func world(_ student: String, year: Int?) throws(CryptoFailure) -> World {
            let key = "\(year ?? 0) \(student)"
            if let world = known[key] { return world }
            let world = try World(student, year: year, secret)
            known[key] = world
            return world
        }
    }

    /// A file as it was read.
    private struct Entry {
        let student: String
        let record: ClassRecord?
        let world: World
    }

    /// The tasks of a student with their right answers.
    fileprivate struct World: Sendable {
        let seed: ClassSeed
        /// The tasks of each lesson.
        let tasks: [[String]]
        let answers: [[String: ExpectedAnswer]]

        init(_ student: String, year: Int?, _ secret: [UInt8]) throws(CryptoFailure) {
            seed = ClassSeed(student, secret: secret)
            let names = ClassNames(seed, year: year)
            tasks = try ClassLessons(names, .english, state: nil).texts.map { $0.tasks.map(\.id) }
            var answers: [[String: ExpectedAnswer]] = []
            for lesson in 1...ClassLessons.count { answers.append(try names.answers(lesson)) }
            self.answers = answers
        }

        /// Whether an answer can only come from this world: it is right here, and nobody would guess it.
        func isOwn(_ index: Int, _ task: String, _ answer: String) -> Bool {
            guard let right = answers[index][task] else { return false }
            return switch right {
            case .own, .pin: right.accepts(answer)
            case .station(_, let pin): answer.contains(pin)
            case .text, .letters: false
            }
        }
    }

    /// The rows, in the order of the names.
    package let rows: [Row]

    /// Grades files.
    ///
    /// - Parameters:
    ///   - files: The files, each with its name without “.json”: the student's.
    ///   - worlds: The worlds of the students.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package init(
        _ files: [(student: String, content: [UInt8])],
        in worlds: inout Worlds
    ) throws(CryptoFailure) {
        var entries: [Entry] = []
        for file in files.sorted(by: { $0.student < $1.student }) {
            let record = try? ClassRecord(file.content)
            let year = record.map(\.year).flatMap { (2000...2900).contains($0) ? $0 : nil }
            let world = try worlds.world(file.student, year: year)
            entries.append(Entry(student: file.student, record: record, world: world))
        }
        rows = entries.map { Self.row($0, entries) }
    }

    private static func row(_ entry: Entry, _ all: [Entry]) -> Row {
        guard let record = entry.record else {
            let none = entry.world.tasks.map { (passed: 0, all: $0.count) }
            return Row(
                student: entry.student,
                lessons: none,
                checks: 0,
                hints: 0,
                remarks: ["the file is damaged"]
            )
        }
        let isSigned = record.isSigned(by: entry.world.seed)
        var remarks: [String] = []
        if record.student != entry.student { remarks.append("the file says that it is of \(record.student)") }
        if !isSigned { remarks.append(signer(of: record, besides: entry, all)) }
        let others = all.filter { $0.student != entry.student }
        var copied: [String: Set<String>] = [:]
        var lessons: [(passed: Int, all: Int)] = []
        for (index, tasks) in entry.world.tasks.enumerated() {
            let lesson = record[index + 1]
            var passed = 0
            for task in tasks {
                guard let right = entry.world.answers[index][task] else {
                    if isSigned, lesson.passed[task] != nil { passed += 1 }
                    continue
                }
                guard let answer = lesson.answers[task], !answer.isEmpty else { continue }
                if right.accepts(answer) {
                    passed += 1
                } else {
                    for other in others where other.world.isOwn(index, task, answer) {
                        copied[other.student, default: []].insert("\(index + 1) \(task)")
                    }
                }
            }
            lessons.append((passed, tasks.count))
        }
        for (student, tasks) in copied.sorted(by: { $0.key < $1.key }) {
            remarks.append("answers of \(student): \(tasks.sorted().joined(separator: ", "))")
        }
        return Row(
            student: entry.student,
            lessons: lessons,
            checks: record.lessons.values.map(\.checks).reduce(0, +),
            hints: record.lessons.values.flatMap(\.hints.values).reduce(0, +),
            remarks: remarks
        )
    }

    private static func signer(of record: ClassRecord, besides entry: Entry, _ all: [Entry]) -> String {
        if let other = all.first(where: { $0.student != entry.student && record.isSigned(by: $0.world.seed) })
        {
            return "made with the seed of \(other.student)"
        }
        return
            "not signed with the seed of \(entry.student): edited by hand, or made with another secret or seed"
    }

    // MARK: Notation

    /// The rows as CSV, with a head.
    package var csv: String {
        let head =
            ["student"] + (1...ClassLessons.count).map { "lesson \($0)" }
            + ["passed", "tasks", "checks", "hints", "remarks"]
        return ([head] + rows.map(Self.cells)).map { CSVText.line($0) + "\n" }.joined()
    }

    private static func cells(_ row: Row) -> [String] {
        [row.student] + row.lessons.map { "\($0.passed)/\($0.all)" }
            + [
                "\(row.passed)", "\(row.all)", "\(row.checks)", "\(row.hints)",
                row.remarks.joined(separator: "; "),
            ]
    }

    /// The rows as a page without references to other files.
    package var html: String {
        let heads =
            ["Student"] + (1...ClassLessons.count).map { "\($0)" } + [
                "Passed", "Tasks", "Checks", "Hints", "Remarks",
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
                """
        )
    }
}
