import ArgumentParser
import PinholeClass
import PinholeCrypto
import PinholeFiles
import PinholePolicies
import PinholeTrust

/// `pinhole class grade`.
struct ClassGradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grade",
        abstract: "Make a table of the results that students handed in.",
        discussion: """
            The folder has the files STUDENT.json of the students. Each answer is compared with the world of the student that
            the file is named after. Remarks point out files that were edited by hand, were made with the seed of another
            student, or have answers of another student's world. The exit code is 1 if there is a remark.

            EXAMPLES
              pinhole class grade results/
                  CSV on standard output
              pinhole class grade results/ --html results.html --secret teacher.key
            """
    )

    @Argument(help: "The folder with the files of the students.")
    var folder: String

    @Option(help: ArgumentHelp("Write CSV into this file.", valueName: "file"))
    var csv: String?

    @Option(help: ArgumentHelp("Write a page with the table.", valueName: "file"))
    var html: String?

    @OptionGroup var secret: ClassSecretOptions

    func run() async throws {
        let names: [String]
        do throws(Errno) {
            names = try Folder.names(in: folder).filter { $0.hasSuffix(".json") && $0 != "class.json" }
        } catch {
            throw CommandFailure(.couldNotRun, "cannot read the folder \(folder): \(error)")
        }
        guard !names.isEmpty else {
            throw CommandFailure(
                .couldNotRun,
                "\(folder) has no results",
                remedy: "collect the files STUDENT.json of the students in one folder"
            )
        }
        var files: [(student: String, content: [UInt8])] = []
        for name in names {
            do throws(PolicyFailure) {
                let content = try PolicyFile.content(of: "\(folder)/\(name)", limit: 1 << 20)
                files.append((String(name.dropLast(5)), content))
            } catch {
                throw CommandFailure(.couldNotRun, "\(error)")
            }
        }
        let grade: ClassGrade
        do throws(CryptoFailure) {
            grade = try ClassGrade(files, secret: try secretBytes())
        } catch {
            throw CommandFailure(.couldNotRun, "\(error)")
        }
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

    private func secretBytes() throws(CryptoFailure) -> [UInt8] {
        do throws(CommandFailure) {
            return try secret.bytes()
        } catch {
            throw CryptoFailure(error.message)
        }
    }
}
