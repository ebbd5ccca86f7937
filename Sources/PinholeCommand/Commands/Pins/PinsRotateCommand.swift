import ArgumentParser
import Glibc
import PinholeFormats
import PinholeModel
import PinholePolicies
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

            docs/PINS.md#the-day-of-rotation describes the plan.
            """
    )

    @Option(help: ArgumentHelp("The plan; “-” is standard input.", valueName: "file"))
    var plan: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let rotation = Rotation(try await read())
        let output = RotationOutput(rotation)
        if json {
            StandardOutput.write(JSONLine.text(RotationJSON(rotation)))
        } else {
            StandardOutput.show(output.text(Style.forDescriptor(STDOUT_FILENO)))
        }
        if !rotation.isSafe { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    private func read() async throws(CommandFailure) -> RotationPlan {
        do throws(PolicyFailure) {
            let text = try PolicyFile.content(of: plan == "-" ? "/dev/stdin" : plan)
            let folder = plan.lastIndex(of: "/").map { String(plan[..<$0]) } ?? "."
            let tagged = try await TaggedFiles(of: Self.tags(in: text), in: folder)
            defer { tagged.remove() }
            return try RotationDocument.read(
                text,
                policies: { (file, tag) throws(PolicyFailure) in
                    guard let tag else { return try PolicyFile.read(at: Self.join(folder, file)).policy }
                    let path = try tagged.path(of: file, in: tag)
                    return try PolicyFile.read(
                        PolicyFile.content(of: path),
                        name: "\(tag):\(file)",
                        certificates: PolicyFile.certificates(beside: path),
                        files: PolicyFile.files(beside: path)
                    ).policy
                },
                chains: { (file) throws(PolicyFailure) in
                    try ServerPath(file: Self.join(folder, file)).certificates
                }
            )
        } catch {
            throw CommandFailure(.couldNotRun, "\(plan == "-" ? "standard input" : plan): \(error)")
        }
    }

    /// The git tags in a plan; empty if it is none, which its reader tells.
    private static func tags(in text: [UInt8]) -> Set<String> {
        guard case .object(let members)? = try? JSONValue(parsing: text),
            case .array(let releases)? = members["releases"]
        else { return [] }
        return Set(
            releases.compactMap { release in
                guard case .object(let members) = release, case .string(let tag)? = members["tag"] else {
                    return nil
                }
                return tag
            }
        )
    }

    private static func join(_ folder: String, _ file: String) -> String {
        file.hasPrefix("/") ? file : "\(folder)/\(file)"
    }
}
