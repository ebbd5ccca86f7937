import ArgumentParser
import Glibc
import PinholeCrypto
import PinholeFormats
import PinholeSession

/// `pinhole doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find the faults that keep interception from working.",
        discussion: """
            Looks at the CA and its modes, the trust stores, the ports, the proxy variables, the clock, the TLS library, the
            configuration and the capture, and for what a killed “pinhole attach” left. Notes are not faults: “pinhole run” works without a
            store that knows the CA. The exit code is 1 if something is wrong.

            EXAMPLES
              pinhole doctor
              pinhole doctor --json | jq 'select(.result == "wrong")'

            docs/TROUBLESHOOTING.md has more causes and remedies.
            """
    )

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var authority: AuthorityOptions
    @OptionGroup var capture: CaptureOptions

    @Flag(help: "Print one JSON object a finding.")
    var json = false

    func run() async throws {
        let findings = await findings()
        let style = Style.forDescriptor(STDOUT_FILENO)
        let width = Terminal.width(STDOUT_FILENO)
        for finding in findings {
            StandardOutput.write(json ? JSONLine.text(finding) : finding.text(style, width: width))
        }
        if findings.contains(where: { $0.result == .wrong }) { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    private func findings() async -> [DoctorFinding] {
        var loaded = Configuration()
        var findings: [DoctorFinding] = []
        do throws(CommandFailure) {
            loaded = try options.load(authority, capture)
            // A proxy refuses an unconfirmed configuration; the settings for other checks are loaded already.
            _ = try options.load(authority, toRun: true)
            findings.append(DoctorFinding("configuration", .right, options.file.summary))
        } catch {
            findings.append(DoctorFinding("configuration", .wrong, error.message, remedy: error.remedy))
        }
        let machine = MachineChecks(configuration: loaded)
        findings += machine.authority()
        let directory = AuthorityDirectory(path: loaded.authority.directory)
        if let root = try? directory.root() {
            findings += await TrustStoreSurvey(root: root).findings().map(DoctorFinding.init)
        }
        return findings + machine.ports() + machine.variables() + machine.attachments() + [
            machine.clock(), machine.library(), machine.capture(),
        ]
    }
}
