import ArgumentParser
import Glibc
import PinholeFiles
import PinholeLab
import PinholeReports
import PinholeSession

/// The files of the reports, and the record that a run is compared with.
struct LabReportOptions: ParsableArguments {
    @Option(help: .value("file", "Write the report as JSON; “-” for standard output."))
    var json: String?

    @Option(help: .value("file", "Write the report as one HTML page."))
    var html: String?

    @Option(help: .value("file", "Write the report as JUnit XML."))
    var junit: String?

    @Option(help: .value("file", "Write the report as Markdown."))
    var markdown: String?

    @Option(help: .value("file", "Write the report as SARIF."))
    var sarif: String?

    @OptionGroup var telemetry: TelemetryOptions

    @Option(help: .value("file", "The cells of an earlier run; the exit code is 1 if a cell differs."))
    var expect: String?

    @Flag(help: "Write the file of --expect from this run, instead of comparing.")
    var record = false

    @Option(
        help: .value(
            "file:line",
            "With --record: a place that a policy file leaves open, as the verdict names it, and that counts as answered; may be repeated."
        )
    )
    var acceptUnproven: [String] = []

    @Option(
        help: .value(
            "name",
            "The scenarios that count: baseline (what the mechanism promises), strict (also what other settings do), all."
        ),
        transform: { try FlagValue.choice($0, "a profile") }
    )
    var profile = LabProfile.baseline

    @Flag(help: "Show the reason of every miss; for pinhole audit also the output of the program.")
    var verbose = false

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
        guard acceptUnproven.isEmpty || record else {
            throw ValidationError(
                "--accept-unproven: expected --record and --expect, whose file keeps the place"
            )
        }
        for place in acceptUnproven where !AcceptedPlace.isPlace(place) {
            throw ValidationError("--accept-unproven: expected FILE:LINE, found “\(place)”")
        }
    }

    /// Whether another report than JSON, or an expectation, was asked for.
    var hasMoreThanJSON: Bool { [html, junit, markdown, sarif, expect].contains { $0 != nil } }

    /// Whether a report takes standard output, so that the table goes to standard error.
    var takesStandardOutput: Bool { [json, html, junit, markdown, sarif].contains("-") }

    /// The descriptor that the table and the verdict are written to.
    private var tableDescriptor: Int32 { takesStandardOutput ? STDERR_FILENO : STDOUT_FILENO }

    /// Reads the expectation, before anything runs.
    ///
    /// - Returns: The expectation; `nil` if there is none, or if this run records it.
    /// - Throws: ``CommandFailure`` if the file is not an expectation.
    func expectation() throws(CommandFailure) -> Expectation? {
        for path in [json, html, junit, markdown, sarif].compactMap(\.self) where path != "-" {
            try ReportFile.checkMayWrite(path)
        }
        if let expect, record { try ReportFile.checkMayWrite(expect) }
        guard let expect, !record else { return nil }
        do {
            return try Expectation(parsing: try DocumentFile(expect).content())
        } catch {
            throw CommandFailure(
                "\(expect) records no expectation: \(error)",
                remedy: File.exists(at: expect)
                    ? "name a file that --record has written; a report is not a record"
                    : "record it with --expect \(expect) --record"
            )
        }
    }

    /// Prints the matrix, on standard error if a report goes to standard output.
    ///
    /// With an expectation, the matrix is printed only with `--verbose`: the differences are enough.
    ///
    /// - Parameters:
    ///   - document: The run.
    ///   - expectation: The recorded expectation; `nil` without a record.
    /// - Throws: ``CommandFailure`` when it cannot be written.
    func show(_ document: LabDocument, expecting expectation: Expectation?) throws(CommandFailure) {
        guard expectation == nil || verbose else { return }
        let text = MatrixText(document: document, profile: profile, isVerbose: verbose)
        guard text.write(to: tableDescriptor) else {
            throw CommandFailure("the matrix could not be written: \(String(cString: strerror(errno)))")
        }
    }

    /// Writes the reports of the flags, and gives the verdict.
    ///
    /// - Parameters:
    ///   - document: The run.
    ///   - expectation: The recorded expectation; `nil` without a record.
    ///   - isPart: Whether it is one part of a divided run.
    ///   - obstacle: The reason why the observations prove nothing; `nil` if they count.
    /// - Throws: ``CommandFailure`` when a file cannot be written, `ExitCode` for another verdict than yes.
    func finish(
        _ document: LabDocument,
        expecting expectation: Expectation?,
        isPart: Bool = false,
        obstacle: String? = nil
    ) async throws {
        // A run that is recorded is compared with itself, so that its reports agree with those of the next runs.
        var expectation = expectation
        if let expect, record {
            // The places that were accepted before stay accepted.
            let earlier = (try? Expectation(parsing: DocumentFile(expect).content()))?.accepted ?? []
            let accepted = earlier.filter { !acceptUnproven.contains($0) } + acceptedPlaces(of: document)
            let recorded = Expectation(recording: document, accepting: accepted)
            try ReportFile.write(recorded.json, to: expect)
            StandardError.write("recorded in \(expect): \(Plain.count(recorded.cells.count, "cell"))")
            expectation = recorded
        }
        let run = JudgedRun(
            document,
            expectation: expectation,
            profile: profile,
            isPart: isPart,
            obstacle: obstacle
        )
        if let json { try ReportFile.write(document.json, to: json) }
        if let html { try ReportFile.write(run.html, to: html) }
        if let junit { try ReportFile.write(run.junit, to: junit) }
        if let markdown { try ReportFile.write(run.markdown, to: markdown) }
        if let sarif { try ReportFile.write(run.sarif(below: ReportFile.workingDirectory), to: sarif) }
        // A collector that is away does not cost the verdict.
        var unsent: CommandFailure?
        if telemetry.otlp != nil {
            do throws(CommandFailure) {
                try await telemetry.settings.send(LabSpans.all(document))
            } catch {
                unsent = error
            }
        }
        let verdict = run.verdict
        // Without a record, the table contains the rest of the summary.
        var lines = expectation == nil ? verdict.gaps : verdict.summary
        if let expectation, let comparison = run.comparison { lines += remarks(comparison, expectation) }
        // Scripts and users look for the verdict in the last line, so the verdict follows everything else.
        let isTable = !takesStandardOutput && VerdictTable(verdict).show()
        for line in lines + [isTable ? verdict.total : verdict.headline] { tell(Plain.printable(line)) }
        if let unsent { throw unsent }
        if verdict.status != .asExpected { throw ExitCode(verdict.status.exitCode) }
    }

    /// The places of `--accept-unproven` that a policy file leaves open; others are named, and not recorded.
    private func acceptedPlaces(of document: LabDocument) -> [String] {
        let open = document.hosts.filter(\.isQuestion).flatMap(document.places(of:))
        let unknown = acceptUnproven.filter { !open.contains($0) }
        if !unknown.isEmpty {
            StandardError.write(
                Plain.printable(
                    "--accept-unproven: no policy file leaves \(unknown.joined(separator: ", ")) open, so it is not "
                        + "recorded"
                        + (open.isEmpty ? "" : "; open: \(Set(open).sorted().joined(separator: ", "))")
                )
            )
        }
        return acceptUnproven.filter(open.contains)
    }

    private func tell(_ line: String) {
        if takesStandardOutput { StandardError.write(line) } else { StandardOutput.show(line) }
    }

    /// Returns remarks on differences from the record that are not faults, such as new cells.
    private func remarks(_ comparison: ExpectationComparison, _ expectation: Expectation) -> [String] {
        var lines = LabDocument.summary(of: comparison.new)
            .map { "\($0): new, not in the record; --record adds it" }
        lines += comparison.remarksOnRows.map { "\($0); --record adds it" }
        if expectation.host == nil {
            lines.append("\(expect ?? "the record") names no host; --record adds it")
        }
        return lines
    }
}

extension VerdictTable {
    /// The table of the user's own rows.
    init(_ verdict: LabVerdict) {
        rows = verdict.parts.map { part in
            let colour: Style.Colour =
                switch part.status {
                case .asExpected: .green
                case .unexpected: .red
                case .unproven: .cyan
                case .inconclusive: .yellow
                }
            return Row(name: part.row, verdict: part.status.word, colour: colour, detail: part.text)
        }
    }
}
