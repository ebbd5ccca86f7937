import ArgumentParser
import Glibc
import PinholeCrypto
import PinholeFormats
import PinholeModel
import PinholePolicies
import PinholeReports
import PinholeRuntime
import PinholeTrust

/// `pinhole pins check`.
struct PinsCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a policy file for faults of its pins, present and future.",
        discussion: """
            Pinhole recognises the format by the content of the file: Android's network_security_config.xml, Info.plist
            (XML or binary) with NSAppTransportSecurity or TSKConfiguration, TrustKit dictionaries, Pinhole's own JSON,
            OkHttp pin lines and source code, curl values, HPKP headers, TLSA records, or GnuTLS's known_hosts.

            The exit code is 1 if a finding is an error or a warning; hints do not count.

            EXAMPLES
              pinhole pins check network_security_config.xml
              pinhole pins check Info.plist --host api.example.com --chain chain.pem
                  also whether an entry is for the host, and whether a pin is in the chain
              pinhole pins check pins.txt --json
              pinhole pins check Info.plist --sarif pins.sarif --junit pins.xml
                  for code scanning and for tools that read test results
            """
    )

    @Argument(help: "The policy file; “-” is standard input.")
    var file: String

    @Option(
        help: ArgumentHelp("A host that the policy is for; may be repeated.", valueName: "host"),
        transform: {
            try FlagValue.parse(InternationalName.ascii($0)) { (text) throws(AddressFailure) in try Host(text)
            }
        }
    )
    var host: [Host] = []

    @Option(
        help: ArgumentHelp(
            "The chain of the server (PEM); its root is found among the system's CAs.",
            valueName: "file"
        )
    )
    var chain: String?

    @Option(
        help: ArgumentHelp("The moment of the check (now).", valueName: "time"),
        transform: { text in
            try FlagValue.parse(text) { (text) throws(AddressFailure) in
                try Moment(text, now: LoopClock().now()).timestamp
            }
        }
    )
    var at: Timestamp?

    @Option(help: "The SDK that an Android app was made for.")
    var targetSdk = 34

    @Flag(help: "Check as a debuggable Android build, in which debug-overrides count.")
    var debug = false

    @Flag(help: "Print one JSON object a finding.")
    var json = false

    @Option(help: ArgumentHelp("Write the findings as SARIF; “-” for standard output.", valueName: "file"))
    var sarif: String?

    @Option(help: ArgumentHelp("Write them as JUnit XML; “-” for standard output.", valueName: "file"))
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
        let lint = PolicyLint(
            time: at ?? LoopClock().now(),
            hosts: host,
            chain: server?.certificates ?? []
        )
        let bytes: [UInt8]
        do throws(PolicyFailure) {
            bytes = try PolicyFile.content(of: file == "-" ? "/dev/stdin" : file)
        } catch {
            throw CommandFailure(.couldNotRun, error.description)
        }
        var options = PolicyFile.Options()
        options.name = file
        options.targetSdk = targetSdk
        options.debug = debug
        options.hosts = host
        let (policy, read) = PolicyFile.examine(
            bytes,
            options: options,
            certificates: PolicyFile.certificates(beside: file),
            files: PolicyFile.files(beside: file)
        )
        let findings = LintFinding.sorted(
            read + (policy?.policies.flatMap { lint.findings(for: $0) } ?? [])
        )
        print(findings, of: policy)
        let name = file == "-" ? "stdin" : file
        let report = LintReport(findings, of: name, lines: PolicyLines(bytes))
        if let sarif {
            try ReportFile.write(report.sarif(below: ReportFile.workingDirectory), to: sarif)
        }
        if let junit { try ReportFile.write(report.junit, to: junit) }
        if findings.contains(where: { $0.severity != .hint }) { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    private func server() throws(CommandFailure) -> ServerPath? {
        guard let chain else { return nil }
        do throws(PolicyFailure) {
            return try ServerPath(file: chain)
        } catch {
            throw CommandFailure(.couldNotRun, "no chain: \(error)")
        }
    }

    private func print(_ findings: [LintFinding], of policy: PolicyFile?) {
        guard !json else {
            for finding in findings { StandardOutput.write(JSONLine.text(FindingJSON(finding, file: file))) }
            return
        }
        let isAside = takesStandardOutput
        let write = { (text: String) in
            if isAside { StandardError.write(text) } else { StandardOutput.show(text) }
        }
        let style = Style.forDescriptor(isAside ? STDERR_FILENO : STDOUT_FILENO)
        let kinds = policy?.kinds.map(\.rawValue).joined(separator: ", ") ?? "no policy that can be used"
        write("\(file == "-" ? "standard input" : file): \(kinds)")
        for finding in findings {
            let colour: Style.Colour =
                switch finding.severity {
                case .error: .red
                case .warning: .yellow
                case .hint: .faint
                }
            let place = finding.path.isEmpty ? "" : " at \(Plain.printable(finding.path))"
            write(
                """
                \(style.paint(finding.severity.rawValue, colour)) \(finding.code.rawValue)\(place)
                  \(Plain.printable(finding.sentence))
                  \(Plain.printable(finding.remedy))
                """
            )
        }
        if findings.isEmpty { write("nothing was found") }
    }
}

/// A finding as JSON.
private struct FindingJSON: Encodable {
    let file: String
    let code: String
    let severity: String
    let path: String
    let sentence: String
    let remedy: String

    init(_ finding: LintFinding, file: String) {
        self.file = file
        code = finding.code.rawValue
        severity = finding.severity.rawValue
        path = finding.path
        sentence = finding.sentence
        remedy = finding.remedy
    }
}
