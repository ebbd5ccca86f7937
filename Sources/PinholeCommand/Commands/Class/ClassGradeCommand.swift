import ArgumentParser
import Glibc
import PinholeClass
import PinholeFiles
import PinholeModel
import PinholeRuntime
import PinholeSession

/// `pinhole class grade`.
struct ClassGradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grade",
        abstract: "Make a table of the results that students handed in.",
        discussion: """
            The folder has the files of the students, folders with them, or zip archives of a learning platform. A file
            belongs to the student that its signed content names, whatever the file is called; of several files, the newest
            counts. Each answer is compared with the world of that student. Remarks point out values that were changed by
            hand, and answers of another student's world. The exit code is 1 if there is a remark.

            The secret is that of --secret, or of the file teacher.key in the folder.

            EXAMPLES
              pinhole class grade results/
                  CSV on standard output
              pinhole class grade results/ --html results.html --secret classes/teacher.key
              pinhole class grade download.zip --secret classes/teacher.key --students class.csv --points points.csv
                  points for the import into a learning platform
              pinhole class grade classes/ --watch
                  the table on the terminal, as the students work in the folders below classes/
            """
    )

    @Argument(help: "The folder, or the zip archive, with the files of the students.")
    var folder: String

    @Option(help: .value("file", "Write CSV into this file."))
    var csv: String?

    @Option(help: .value("file", "Write a page with the table."))
    var html: String?

    @Option(help: .value("file", "Write id, name, group, points and maximum as CSV into this file."))
    var points: String?

    @Option(help: .value("file", "The list of the class, for display names, groups and missing files."))
    var students: String?

    @Flag(help: "Show the table on the terminal, and again whenever a result changes, until Ctrl-C.")
    var watch = false

    @OptionGroup var unit: ClassUnitOptions
    @OptionGroup var secret: ClassSecretOptions

    /// The interval at which the files are looked at again.
    private static let interval = Duration.seconds(1)

    func validate() throws {
        guard !watch || csv == nil && html == nil && points == nil else {
            throw ValidationError("expected --watch without --csv, --html and --points")
        }
    }

    func run() async throws {
        if watch { return try await follow() }
        var worlds = try worlds()
        let grade = try grade(try files(), try members(), &worlds)
        if let html { try ReportFile.write(grade.html, to: html) }
        if let csv { try ReportFile.write(grade.csv, to: csv) }
        if let points { try ReportFile.write(grade.points, to: points) }
        for row in grade.rows where !row.notes.isEmpty {
            StandardError.write(
                "pinhole: note: \(row.student): \(Plain.printable(row.notes.joined(separator: "; ")))"
            )
        }
        if html == nil, csv == nil, points == nil { StandardOutput.show(grade.csv) }
        let doubtful = grade.rows.filter { !$0.remarks.isEmpty }
        for row in doubtful {
            StandardError.write(
                "pinhole: \(row.student): \(Plain.printable(row.remarks.joined(separator: "; ")))"
            )
        }
        guard doubtful.isEmpty else { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    /// Shows the table again whenever a file has changed.
    private func follow() async throws {
        let signals = SignalWatch([SIGINT, SIGTERM])
        let showing = Task {
            var shown: [SubmittedFile] = []
            let members = try members()
            var worlds = try worlds()
            while !Task.isCancelled {
                let files = try files()
                if files != shown {
                    shown = files
                    let table = GradeTable(
                        try grade(files, members, &worlds),
                        style: .forDescriptor(STDOUT_FILENO)
                    )
                    StandardOutput.write(table.text)
                }
                try await Task.sleep(for: Self.interval)
            }
        }
        let stopping = Task {
            for await _ in signals.signals { break }
            showing.cancel()
        }
        defer { stopping.cancel() }
        do {
            try await showing.value
        } catch is CancellationError {}
    }

    private func worlds() throws -> ClassGrade.Worlds {
        ClassGrade.Worlds(secret: try bytes(), lessons: try lessons())
    }

    /// The lessons of the option, or of a class that is served, in the folder or in that of its secret; files among
    /// handed-in results choose nothing.
    private func lessons() throws(ClassFailure) -> LessonChoice {
        let folders = [folder] + (secret.secret.map { [FilePath.folder(of: $0)] } ?? [])
        guard let served = folders.first(where: { ClassRoster.isKept(in: $0) }) else {
            return unit.lessons ?? .standard
        }
        return try unit.kept(in: served)
    }

    /// The secret of the option, or of the folder.
    private func bytes() throws -> [UInt8] {
        try secret.secret == nil ? ClassSecret.existing(in: folder) ?? [] : secret.bytes()
    }

    /// The students of the list; none without a list.
    private func members() throws(ClassFailure) -> [ClassMember] {
        guard let students else { return [] }
        return try ClassFiles(list: students, directory: folder).members()
    }

    /// The results in the folder, in folders below it and in archives.
    private func files() throws -> [SubmittedFile] {
        let found = try CommandFailure.wrapping("cannot read the folder \(folder)") {
            try SubmittedFiles(in: folder)
        }
        if !watch {
            for fault in found.faults { StandardError.write("pinhole: warning: \(Plain.printable(fault))") }
        }
        guard !found.files.isEmpty || watch else {
            throw CommandFailure(
                "\(folder) has no results",
                remedy:
                    "collect the files STUDENT.json of the students in one folder, or the archive of a learning platform"
            )
        }
        return found.files
    }

    private func grade(
        _ files: [SubmittedFile],
        _ members: [ClassMember],
        _ worlds: inout ClassGrade.Worlds
    ) throws(CommandFailure) -> ClassGrade {
        try CommandFailure.wrapping { try ClassGrade(files, of: members, in: &worlds) }
    }
}

/// Lays out the results of a class for the terminal.
struct GradeTable {
    private let grade: ClassGrade
    private let style: Style

    init(_ grade: ClassGrade, style: Style) {
        self.grade = grade
        self.style = style
    }

    /// The table, a line for each student, which replaces the one before on a terminal.
    var text: String {
        let width = max(7, grade.rows.map { TextLayout.columns(of: Plain.printable($0.name)) }.max() ?? 0)
        let numbers = grade.choice.numbers.map { TextLayout.fit("\($0)", 4, right: true) }.joined()
        let head = TextLayout.fit("STUDENT", width) + numbers + "   ALL  HINTS"
        let lines = grade.rows.map { row in
            let lessons = row.lessons.map { lesson in
                let text = TextLayout.fit("\(lesson.passed)/\(lesson.all)", 4, right: true)
                return lesson.passed == lesson.all ? style.paint(text, .green) : text
            }
            let all = TextLayout.fit("\(row.passed)/\(row.all)", 6, right: true)
            let hints = TextLayout.fit("\(row.hints)", 6, right: true)
            let remark =
                row.remarks.isEmpty
                ? "" : "  \(style.paint(Plain.printable(row.remarks.joined(separator: "; ")), .yellow))"
            return TextLayout.fit(Plain.printable(row.name), width) + lessons.joined() + all + hints + remark
        }
        return style.clearing + ([style.paint(head, .bold)] + lines).joined(separator: "\n")
    }
}
