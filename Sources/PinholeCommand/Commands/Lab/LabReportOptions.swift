import ArgumentParser
import Foundation
import Glibc
import PinholeLab
import PinholeModel

/// Where reports are written, and what a run is compared with.
struct LabReportOptions: ParsableArguments {
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

    @Option(
        help: ArgumentHelp(
            "What was recorded before; the exit code is 1 where a cell says something else.",
            valueName: "file"
        )
    )
    var expect: String?

    @Flag(help: "Write the file of --expect from this run, instead of comparing.")
    var record = false

    func validate() throws {
        let files = [json, html, junit, markdown, sarif]
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("expected “-” for one report at most, since there is one standard output")
        }
        let named = files.compactMap(\.self).filter { $0 != "-" }
        if let twice = named.first(where: { name in named.count { $0 == name } > 1 }) {
            throw ValidationError("expected a file of its own for each report, found \(twice) twice")
        }
        guard !named.contains("") else {
            throw ValidationError("expected the name of a file, found an empty one")
        }
        guard !record || expect != nil else {
            throw ValidationError("--record: expected --expect with the file to write")
        }
    }

    /// Whether a report takes standard output, so that the table goes to standard error.
    var takesStandardOutput: Bool { [json, html, junit, markdown, sarif].contains("-") }

    /// Reads what is expected, before anything is run.
    ///
    /// - Returns: The expectation; `nil` for none, and where it is to be recorded.
    /// - Throws: ``CommandFailure`` when the file is no expectation.
    func expectation() throws(CommandFailure) -> Expectation? {
        for path in [json, html, junit, markdown, sarif].compactMap(\.self) where path != "-" {
            try Self.checkMayWrite(path)
        }
        if let expect, record { try Self.checkMayWrite(expect) }
        guard let expect, !record else { return nil }
        do {
            return try Expectation(parsing: try PolicyFile.content(of: expect))
        } catch {
            throw CommandFailure(
                .couldNotRun,
                "nothing is expected in \(expect): \(error)",
                remedy: FileManager.default.fileExists(atPath: expect)
                    ? "name a file that --record has written; a report is something else"
                    : "record it with --expect \(expect) --record"
            )
        }
    }

    /// Prints the matrix: on standard error where a report goes to standard output.
    ///
    /// - Parameter document: The run.
    /// - Throws: ``CommandFailure`` when it cannot be written.
    func show(_ document: LabDocument) throws(CommandFailure) {
        guard MatrixText.write(document, to: takesStandardOutput ? STDERR_FILENO : STDOUT_FILENO) else {
            throw CommandFailure(
                .couldNotRun,
                "the matrix could not be written: \(String(cString: strerror(errno)))"
            )
        }
    }

    /// Writes what was asked for, and gives the verdict.
    ///
    /// - Parameters:
    ///   - document: The run.
    ///   - expectation: What was expected.
    ///   - isPart: Whether it is one part of a divided run.
    /// - Throws: ``CommandFailure`` when a file cannot be written, `ExitCode` for another verdict than yes.
    func finish(
        _ document: LabDocument,
        expecting expectation: Expectation?,
        isPart: Bool = false
    ) throws {
        // A run that is recorded is compared with itself: its reports say what the next ones will.
        var expectation = expectation
        if let expect, record {
            let recorded = Expectation(recording: document)
            try Self.write(recorded.json, to: expect)
            let count = recorded.cells.count
            StandardError.write("recorded in \(expect): \(count) \(count == 1 ? "cell" : "cells")")
            expectation = recorded
        }
        if let json { try Self.write(document.json, to: json) }
        if let html { try Self.write(document.html(expecting: expectation), to: html) }
        if let junit { try Self.write(document.junit(expecting: expectation, isPart: isPart), to: junit) }
        if let markdown { try Self.write(document.markdown(expecting: expectation), to: markdown) }
        if let sarif {
            let root = FileManager.default.currentDirectoryPath
            try Self.write(
                document.sarif(below: root, expecting: expectation, isPart: isPart),
                to: sarif
            )
        }
        let verdict = LabVerdict(document, expectation: expectation, isPart: isPart)
        // The table says the rest where nothing was recorded.
        for reason in expectation == nil ? verdict.gaps : verdict.summary {
            StandardError.write(Plain.printable(reason))
        }
        if let expectation { tell(ExpectationComparison(document, with: expectation), expectation) }
        if verdict.status != .asExpected { throw ExitCode(verdict.status.rawValue) }
    }

    /// Says what is no fault and worth knowing all the same.
    private func tell(_ comparison: ExpectationComparison, _ expectation: Expectation) {
        var lines = LabDocument.summary(of: comparison.new)
            .map { "\($0): new, nothing was recorded; --record takes it in" }
        lines += comparison.remarksOnRows.map { "\($0); --record takes it in" }
        if expectation.host == nil {
            lines.append("\(expect ?? "the record") does not say of which host it is; --record adds it")
        }
        for line in lines { StandardError.write(Plain.printable(line)) }
    }

    /// Before anything is run: nobody wants to wait for a report that cannot be written.
    private static func checkMayWrite(_ path: String) throws(CommandFailure) {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        let folder = (path as NSString).deletingLastPathComponent
        let place = exists ? path : folder.isEmpty ? "." : folder
        guard !isDirectory.boolValue, access(place, W_OK) == 0 else {
            let reason = isDirectory.boolValue ? "it is a folder" : String(cString: strerror(errno))
            throw CommandFailure(.couldNotRun, "could not write \(path): \(reason)")
        }
    }

    private static func write(_ text: String, to path: String) throws(CommandFailure) {
        guard path != "-" else {
            guard FileDescriptorOutput.write(Array("\(text)\n".utf8), to: STDOUT_FILENO) || errno == EPIPE
            else {
                let reason = String(cString: strerror(errno))
                throw CommandFailure(.couldNotRun, "standard output could not be written: \(reason)")
            }
            return
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw CommandFailure(.couldNotRun, "could not write \(path): \(error.localizedDescription)")
        }
    }
}
