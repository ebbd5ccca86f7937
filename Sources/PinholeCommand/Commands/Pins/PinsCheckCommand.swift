import ArgumentParser
import Glibc
import PinholeCrypto
import PinholeFiles
import PinholeFormats
import PinholeModel
import PinholePolicies
import PinholeReports
import PinholeRuntime
import PinholeSession
import PinholeSource
import PinholeTrust

/// `pinhole pins check`.
struct PinsCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a policy file for faults of its pins, present and future.",
        discussion: """
            Pinhole recognises the format by the content of the file: Android's network_security_config.xml, Info.plist
            (XML or binary) with NSAppTransportSecurity or TSKConfiguration, TrustKit dictionaries, Pinhole's own JSON,
            source code with OkHttp's or TrustKit's pins, OkHttp pin lines, curl values, HPKP headers, TLSA records and zones,
            or GnuTLS's known_hosts.

            The exit code is 1 if a finding is an error or a warning, or if files disagree about a host (--recursive). It is 3
            if something is not proven: code would have to be run, or other files read. Hints do not count.

            EXAMPLES
              pinhole pins check network_security_config.xml
              pinhole pins check Info.plist --host api.example.com --chain chain.pem
                  also whether an entry is for the host, and whether a pin is in the chain
              pinhole pins check pins.txt --json
              pinhole pins check Info.plist --sarif pins.sarif --junit pins.xml
                  for code scanning and for tools that read test results
              pinhole pins check --recursive .
                  every file with pins below a folder, and where they disagree about a host
            """
    )

    @Argument(help: "The policy file; “-” is standard input; a folder with --recursive.")
    var file: String

    @Flag(help: "Check each file with pins below a folder, and compare them host by host.")
    var recursive = false

    @Option(
        help: .value("host", "A host that the policy is for; may be repeated."),
        transform: FlagValue.host
    )
    var host: [Host] = []

    @Option(help: .value("file", "The chain of the server (PEM); its root is found among the system's CAs."))
    var chain: String?

    @Option(help: .value("time", "The moment of the check (now)."), transform: FlagValue.moment)
    var at: Timestamp?

    @Option(
        help: .value(
            "file",
            "The record of pinhole lab: the places that it accepts as not proven do not count."
        )
    )
    var accepted: String?

    @OptionGroup var files: FilesOption

    @Option(help: "The SDK that an Android app was made for.")
    var targetSdk = 34

    @Flag(help: "Check as a debuggable Android build, in which debug-overrides count.")
    var debug = false

    @Flag(help: "Print one JSON object a finding.")
    var json = false

    @Option(help: .value("file", "Write the findings as SARIF; “-” for standard output."))
    var sarif: String?

    @Option(help: .value("file", "Write them as JUnit XML; “-” for standard output."))
    var junit: String?

    /// Whether a report takes standard output, so that the findings go to standard error.
    private var takesStandardOutput: Bool { sarif == "-" || junit == "-" }

    func validate() throws {
        guard !(sarif == "-" && junit == "-"), !(json && takesStandardOutput) else {
            throw ValidationError("expected one report on standard output at most, since there is one")
        }
    }

    func run() throws {
        for path in [sarif, junit].compactMap(\.self) where path != "-" { try ReportFile.checkMayWrite(path) }
        let server = try server()
        for note in server?.notes ?? [] { StandardError.write("pinhole: note: \(Plain.printable(note))") }
        var lint = PolicyLint(
            time: at ?? LoopClock().now(),
            hosts: host,
            chain: server?.certificates ?? []
        )
        lint.suffixes = .system
        let checked = try checkedFiles(lint)
        guard !checked.isEmpty else {
            throw CommandFailure("no file below \(file) has pins, or decides what a client trusts")
        }
        let accepted = try acceptedPlaces()
        for file in checked { print(file) }
        let report = LintReport(checked.map(\.report))
        if let sarif {
            try ReportFile.write(report.sarif(below: ReportFile.workingDirectory), to: sarif)
        }
        if let junit { try ReportFile.write(report.junit, to: junit) }
        var disagree = recursive && compare(checked, at: lint.time)
        if recursive {
            for host in self.host where !checked.contains(where: { $0.pins(host) }) {
                StandardError.write(Plain.printable("no file below \(file) pins \(host)"))
                disagree = true
            }
        }
        if disagree || checked.contains(where: \.isFaulty) { throw ExitCode(ExitStatus.negative.rawValue) }
        if checked.contains(where: { $0.isUnproven(accepting: accepted) }) {
            throw ExitCode(ExitStatus.couldNotRun.rawValue)
        }
    }

    /// The places that the record of the lab accepts as not proven.
    private func acceptedPlaces() throws(CommandFailure) -> [String] {
        guard let file = self.accepted else { return [] }
        return try CommandFailure.wrapping("\(file) is not a record of pinhole lab") {
            try Expectation(parsing: try DocumentFile(file).content()).accepted
        }
    }

    /// Checks the file, or those below the folder that have a policy or a question.
    private func checkedFiles(_ lint: PolicyLint) throws -> [CheckedFile] {
        let options = { @Sendable [targetSdk, debug, host] (project: SourceProject?) in
            var options = PolicyFile.Options()
            options.targetSdk = targetSdk
            options.debug = debug
            options.hosts = host
            options.project = project
            return options
        }
        do {
            guard recursive else {
                let document = try files.document(file)
                return [CheckedFile(try document.content(), at: file, document.files, options(nil), lint)]
            }
            let tree = try PolicyTree(below: file)
            let found = try tree.files.map { found in
                // The folder is granted as a whole, and links in it are not followed.
                (file: found, access: try files.document(found.path, within: file).files)
            }
            let prepare = { @Sendable [sources = tree.sources] in SourceProject(sources) }
            // The constants of the source code are followed by each core for itself.
            let checked = CoreWork.results(for: found, with: prepare) { found, project in
                let file = found.file
                return CheckedFile(
                    file.content,
                    at: file.path,
                    found.access,
                    options(project),
                    lint,
                    isOneOfMany: true,
                    decision: file.decision
                )
            }
            // A folder has files with words that look like pins.
            return checked.filter { !$0.isForeign }
        } catch {
            throw CommandFailure(of: error)
        }
    }

    /// Shows each host with the files that pin it; true if they disagree about one.
    private func compare(_ checked: [CheckedFile], at time: Timestamp) -> Bool {
        let readable = checked.compactMap { file in file.policy.map { (file.name, $0) } }
        let parity = PinParity(
            readable.map { $0.1.comparedPolicy },
            for: host,
            at: time,
            digest: Digest.sha256
        )
        var differing = 0
        let rows = parity.rows.map { $0.ofPinning() }.filter { !$0.policies.isEmpty }
        for (policies, row) in rows {
            let output = ParityOutput(files: policies.map { readable[$0].0 })
            if json {
                output.writeJSON(row)
            } else if !takesStandardOutput {
                output.show(row)
            }
            if !row.differences.isEmpty { differing += 1 }
        }
        if !json, !takesStandardOutput {
            VerdictTable(rows: checked.compactMap(\.row)).show()
            StandardOutput.show(
                "\(Plain.count(checked.count, "file")), \(Plain.count(rows.count, "host")): "
                    + (differing == 0
                        ? "no file disagrees with another" : "files disagree about \(differing)")
            )
        }
        return differing > 0
    }

    private func server() throws(CommandFailure) -> ServerPath? {
        guard let chain else { return nil }
        return try CommandFailure.wrapping("no chain") {
            let content = try InputFile.content(of: chain, limit: NamedFiles.evidenceBytes)
            return try ServerPath(content: content, from: chain, roots: TrustBundle.systemRoots)
        }
    }

    private func print(_ checked: CheckedFile) {
        guard !json else {
            let file = checked.name == "stdin" ? "-" : checked.name
            for finding in checked.findings {
                let object: JSONObject = [
                    "file": file, "code": finding.code.rawValue, "severity": finding.severity.rawValue,
                    "path": finding.path, "sentence": finding.sentence, "remedy": finding.remedy,
                ]
                StandardOutput.write(JSONLine.text(object))
            }
            return
        }
        let isAside = takesStandardOutput
        let write = { (text: String) in
            if isAside { StandardError.write(text) } else { StandardOutput.show(text) }
        }
        let style = Style.forDescriptor(isAside ? STDERR_FILENO : STDOUT_FILENO)
        // Several clients of a file may be of one kind.
        let kinds = checked.policy?.kinds.map(\.rawValue).reduce(into: [String]()) { kinds, kind in
            if !kinds.contains(kind) { kinds.append(kind) }
        }.joined(separator: ", ")
        let name = checked.name == "stdin" ? "standard input" : checked.name
        write("\(name): \(kinds ?? "no policy that can be used")")
        for finding in checked.findings {
            let colour: Style.Colour =
                switch finding.severity {
                case .error: .red
                case .warning: .yellow
                case .unproven: .cyan
                case .hint: .faint
                }
            let title = finding.severity == .unproven ? "not proven" : finding.severity.rawValue
            let place = finding.path.isEmpty ? "" : " at \(Plain.printable(finding.path))"
            write(
                """
                \(style.paint(title, colour)) \(finding.code.rawValue)\(place)
                  \(Plain.printable(finding.sentence))
                  \(Plain.printable(finding.remedy))
                """
            )
        }
        if checked.findings.isEmpty { write("nothing was found") }
    }
}
