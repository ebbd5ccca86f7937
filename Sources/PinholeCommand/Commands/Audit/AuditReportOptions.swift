import ArgumentParser
import Foundation
import PinholeLab

/// Where reports are written.
struct AuditReportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write the report as JSON; “-” for standard output.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write it as one HTML page.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("Write it as JUnit XML.", valueName: "file"))
    var junit: String?

    @Option(help: ArgumentHelp("Write it as Markdown.", valueName: "file"))
    var markdown: String?

    @Option(help: ArgumentHelp("Write it as SARIF.", valueName: "file"))
    var sarif: String?

    func validate() throws {
        let files = [json, html, junit, markdown, sarif]
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("expected “-” for one report at most, since there is one standard output")
        }
    }

    /// Whether a report takes standard output, so that the table goes to standard error.
    var takesStandardOutput: Bool { [json, html, junit, markdown, sarif].contains("-") }

    /// Writes what was asked for.
    ///
    /// - Parameter report: The report.
    /// - Throws: ``CommandFailure`` when a file cannot be written.
    func write(_ report: LabReport) throws(CommandFailure) {
        if let json { try Self.write(report.json, to: json) }
        if let html { try Self.write(report.html, to: html) }
        if let junit { try Self.write(report.junit, to: junit) }
        if let markdown { try Self.write(report.markdown, to: markdown) }
        if let sarif { try Self.write(report.sarif, to: sarif) }
    }

    private static func write(_ text: String, to path: String) throws(CommandFailure) {
        guard path != "-" else { return StandardOutput.write(text) }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw CommandFailure(.couldNotRun, "could not write \(path): \(error.localizedDescription)")
        }
    }
}
