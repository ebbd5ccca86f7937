import ArgumentParser
import PinholeFiles
import PinholeModel
import PinholeReports
import PinholeSession

/// `pinhole lab merge`.
struct LabMergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Join the reports of several machines, and give the verdict on all of them.",
        discussion: """
            Takes JSON reports of pinhole lab and pinhole audit, from the shards of one run or from several runs. A missing
            shard makes the verdict inconclusive: the exit code is 3.

            EXAMPLES
              pinhole lab --shard 1/2 --json lab-1.json
              pinhole lab --shard 2/2 --json lab-2.json
              pinhole lab merge lab-1.json lab-2.json --html lab.html
            """
    )

    @Argument(help: .value("file", "JSON reports."))
    var files: [String]

    @OptionGroup var reports: LabReportOptions

    func run() async throws {
        let expectation = try reports.expectation()
        var documents: [LabDocument] = []
        for file in files {
            let document = try Self.document(file)
            for line in LabDocument.summary(of: document.emptyPlaces) {
                StandardError.write(Plain.printable("\(file) has no cell for \(line)"))
            }
            documents.append(document)
        }
        let merged = try CommandFailure.wrapping { try LabDocument.merging(documents, names: files) }
        for line in RowSources(of: documents, names: files).doubts {
            StandardError.write(Plain.printable(line))
        }
        try reports.show(merged, expecting: expectation)
        try await reports.finish(merged, expecting: expectation)
    }

    /// Reads a report.
    private static func document(_ file: String) throws(CommandFailure) -> LabDocument {
        let bytes = try CommandFailure.wrapping { try InputFile.content(of: file, limit: LabDocument.bytes) }
        do throws(DocumentFailure) {
            return try LabDocument(parsing: bytes)
        } catch {
            let isRecord = (try? Expectation(parsing: bytes)) != nil
            throw CommandFailure(
                "\(file) is not a report of the lab: \(error)",
                remedy: isRecord ? "it is a record: give it with --expect \(file)" : nil
            )
        }
    }
}
