import ArgumentParser
import Glibc
import PinholeClass
import PinholeModel
import PinholeSession

/// `pinhole class print`.
struct ClassPrintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Make worksheets, or the teacher's key, as HTML or PDF.",
        discussion: """
            The sheets are made from the same texts as the lessons, with the student's name on them. PDF needs Chromium.

            EXAMPLES
              pinhole class print --seed mia --html mia.html
              pinhole class print 4 --seed mia --key --language de --pdf key.pdf
            """
    )

    @Argument(help: "The number of the lesson; without it, all lessons.", transform: LessonNumber.parse)
    var lesson: Int?

    @Flag(help: "Print the answers, the explanations and the advice for teachers.")
    var key = false

    @Option(help: .value("file", "Write HTML into this file; “-” is standard output."))
    var html: String?

    @Option(help: .value("file", "Write PDF into this file."))
    var pdf: String?

    @OptionGroup var unit: ClassUnitOptions
    @OptionGroup var seed: ClassSeedOptions
    @OptionGroup var language: ClassLanguageOptions
    @OptionGroup var options: ClassOptions

    func validate() throws {
        guard html != nil || pdf != nil else { throw ValidationError("expected --html FILE or --pdf FILE") }
    }

    func run() async throws {
        let (seed, state) = try world()
        let lessons = lesson.map { [$0] } ?? (unit.lessons ?? state?.choice ?? .standard).numbers
        // The sheets of a class have its ports, and texts of its lessons alone.
        for number in lessons { try state?.checkHas(number) }
        let sheet = Worksheet(seed, language.chosen, isKey: key, state: state)
        let page = try CommandFailure.wrapping { try sheet.html(lessons) }
        if let html { try ReportFile.write(page, to: html) }
        if let pdf { try await write(page, asPDF: pdf) }
    }

    /// The student of the option, or of the class in the folder with its ports.
    private func world() throws -> (ClassSeed, ClassFolder.State?) {
        if let student = seed.seed { return (try seed.seed(of: student), nil) }
        do throws(ClassFailure) {
            let state = try options.folder.state()
            return (state.seed, state)
        } catch {
            throw ValidationError("expected --seed STUDENT, or the folder of a class (\(error.description))")
        }
    }

    /// Lets Chromium print the page.
    private func write(_ page: String, asPDF path: String) async throws {
        let browser = try BrowserSearch().find("chromium")
        try ReportFile.checkMayWrite(path)
        let directory = try PrivateDirectory()
        defer { directory.remove() }
        try ReportFile.write(page, to: "\(directory.path)/sheet.html")
        let failure = await ChildProcess.failure(
            of: browser.path,
            [
                "--headless", "--disable-gpu", "--no-first-run",
                "--user-data-dir=\(directory.path)/profile",
                "--no-pdf-header-footer", "--print-to-pdf=\(path)", "file://\(directory.path)/sheet.html",
            ] + BrowserCommandLine.sandbox(isRoot: geteuid() == 0)
        )
        if let failure {
            throw CommandFailure("\(browser.path) could not print: \(failure)", remedy: "use --html")
        }
    }
}
