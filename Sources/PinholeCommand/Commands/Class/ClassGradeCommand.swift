import ArgumentParser
import Glibc
import PinholeClass
import PinholeCrypto
import PinholeFiles
import PinholeRuntime
import PinholeSession

/// `pinhole class grade`.
struct ClassGradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grade",
        abstract: "Make a table of the results that students handed in.",
        discussion: """
            The folder has the files STUDENT.json of the students, or the folders of their classes. Each answer is compared with the world of the student that
            the file is named after. Remarks point out files that were edited by hand, were made with the seed of another
            student, or have answers of another student's world. The exit code is 1 if there is a remark.

            EXAMPLES
              pinhole class grade results/
                  CSV on standard output
              pinhole class grade results/ --html results.html --secret teacher.key
              pinhole class grade classes/ --watch
                  the table on the terminal, as the students work in the folders below classes/
            """
    )

    @Argument(help: "The folder with the files of the students.")
    var folder: String

    @Option(help: ArgumentHelp("Write CSV into this file.", valueName: "file"))
    var csv: String?

    @Option(help: ArgumentHelp("Write a page with the table.", valueName: "file"))
    var html: String?

    @Flag(help: "Show the table on the terminal, and again whenever a result changes, until Ctrl-C.")
    var watch = false

    @OptionGroup var secret: ClassSecretOptions

    /// The interval at which the files are looked at again.
    private static let interval = Duration.seconds(1)

    func validate() throws {
        guard !watch || csv == nil && html == nil else {
            throw ValidationError("expected --watch without --csv and --html")
        }
    }

    func run() async throws {
        if watch { return try await follow() }
        var worlds = ClassGrade.Worlds(secret: try secret.bytes())
        let grade = try grade(try files(), &worlds)
        if let html { try ReportFile.write(grade.html, to: html) }
        if let csv { try ReportFile.write(grade.csv, to: csv) }
        if html == nil, csv == nil { StandardOutput.show(grade.csv) }
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
            var shown: [String: [UInt8]] = [:]
            var worlds = ClassGrade.Worlds(secret: try secret.bytes())
            while !Task.isCancelled {
                let files = try files()
                let found = Dictionary(files.map { ($0.student, $0.content) }) { $1 }
                if found != shown {
                    shown = found
                    let table = GradeTable(try grade(files, &worlds), style: .forDescriptor(STDOUT_FILENO))
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

    /// The results in the folder, and in the folders of classes below it.
    private func files() throws(CommandFailure) -> [(student: String, content: [UInt8])] {
        var paths: [String] = []
        do throws(Errno) {
            for name in try Folder.names(in: folder) {
                let path = "\(folder)/\(name)"
                guard !name.hasSuffix(".json"), File.kind(of: path) == .folder else {
                    if name.hasSuffix(".json") { paths.append(path) }
                    continue
                }
                guard let names = try? Folder.names(in: path) else {
                    StandardError.write("pinhole: warning: \(path) cannot be read")
                    continue
                }
                guard names.contains("class.json") else { continue }
                paths += names.filter { $0.hasSuffix(".json") }.map { "\(path)/\($0)" }
            }
        } catch {
            throw CommandFailure(.couldNotRun, "cannot read the folder \(folder): \(error)")
        }
        paths.removeAll { $0.hasSuffix("/class.json") }
        guard !paths.isEmpty || watch else {
            throw CommandFailure(
                .couldNotRun,
                "\(folder) has no results",
                remedy: "collect the files STUDENT.json of the students in one folder"
            )
        }
        var files: [(student: String, content: [UInt8])] = []
        for path in paths.sorted() {
            // A file that cannot be read is one row of the table, and does not end it.
            let isFile = File.kind(of: path) == .regular
            let content = isFile ? try? File.content(of: path, upTo: 1 << 20) : nil
            files.append((String(FilePath.name(of: path).dropLast(5)), content ?? []))
        }
        return files
    }

    private func grade(
        _ files: [(student: String, content: [UInt8])],
        _ worlds: inout ClassGrade.Worlds
    ) throws(CommandFailure) -> ClassGrade {
        do throws(CryptoFailure) {
            return try ClassGrade(files, in: &worlds)
        } catch {
            throw CommandFailure(.couldNotRun, "\(error)")
        }
    }
}

/// Lays out the results of a class for the terminal.
struct GradeTable {
    private let grade: ClassGrade
    private let style: Style

    /// Creates the table of a grade.
    init(_ grade: ClassGrade, style: Style) {
        self.grade = grade
        self.style = style
    }

    /// The table, a line for each student, which replaces the one before on a terminal.
    var text: String {
        let width = max(7, grade.rows.map { TextLayout.columns(of: $0.student) }.max() ?? 0)
        let numbers = (1...ClassLessons.count).map { TextLayout.fit("\($0)", 4, right: true) }.joined()
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
            return TextLayout.fit(row.student, width) + lessons.joined() + all + hints + remark
        }
        return style.clearing + ([style.paint(head, .bold)] + lines).joined(separator: "\n")
    }
}
