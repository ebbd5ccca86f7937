import ArgumentParser
import Glibc
import PinholeFormats
import PinholeReports
import PinholeSession
import PinholeTrust

/// `pinhole pins rotate`.
struct PinsRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Say on which day a change of keys locks out users of released apps.",
        discussion: """
            The plan is JSON. It has the steps of the server (certificates or keys, each from a day on) and the released
            versions of the app (policy files, on disk or in a git tag). Pinhole judges each day by the policy of each
            version, and estimates its users. It shows who is locked out and when, on which days each step is safe, and days
            for the steps that lock out nobody.

            The exit code is 1 if more users are locked out than the plan tolerates.

            EXAMPLES
              pinhole pins rotate --plan plan.json
              pinhole pins rotate --plan plan.json --json
              pinhole pins rotate --plan plan.json --html rotation.html

            “pinhole audit --plan plan.json --day DAY” plays a day against the program itself.

            docs/PINS.md#the-day-of-rotation describes the plan.
            """
    )

    @Option(help: .value("file", "The plan; “-” is standard input."))
    var plan: String

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var files: FilesOption

    @Option(help: .value("file", "Write a page with the time line; “-” is standard output."))
    var html: String?

    func run() async throws {
        let rotation = Rotation(try await PlanFile.read(plan, files))
        let output = RotationOutput(rotation)
        if let html { try ReportFile.write(RotationPage(rotation).text, to: html) }
        guard html != "-" else {
            if !rotation.isSafe { throw ExitCode(ExitStatus.negative.rawValue) }
            return
        }
        if json {
            StandardOutput.write(JSONLine.text(rotation.json))
        } else {
            StandardOutput.show(output.text(Style.forDescriptor(STDOUT_FILENO)))
        }
        if !rotation.isSafe { throw ExitCode(ExitStatus.negative.rawValue) }
    }
}
