import PinholeConsole
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeStore
import Subprocess

/// The tools of an agent that run commands of this program: the lab, an audit, a replay.
struct AgentPrograms: Sendable {
    /// The file of the capture.
    let path: String
    /// Removes the secrets from what the agent gets.
    let capture: AgentCapture
    /// Runs one command after the other, each for a bounded time.
    private let work = WorkBudget("pinhole.mcp", .commands)

    /// Runs the lab on a policy that the agent gives.
    var lab: AgentTool {
        AgentTool(
            "run_lab",
            """
            Runs the pinning lab on a policy (an Android network_security_config.xml, an Info.plist with TrustKit or \
            NSPinnedDomains, source with OkHttp, Alamofire … or a policy of Pinhole in JSON) and returns which attacks it \
            detects and which legitimate changes it survives, as Markdown.
            """,
            [
                .init("policy", .text, "The text of the policy.", isRequired: true),
                .init("host", .text, "The host to try; the first that the policy names without it."),
            ],
            output: AgentSchema.report
        ) { arguments in
            guard let policy = try arguments.text("policy") else {
                throw AgentTool.Refusal("policy: expected the text of a policy, found none")
            }
            let host = try arguments.text("host").map { ["--host", $0] } ?? []
            return try await run(
                ["lab", "run", "--policy", "-", "--only-own", "--markdown", "-"] + host,
                input: policy
            )
        }
    }

    /// Audits one of the commands that the user allowed.
    func audit(_ commands: [String]) -> AgentTool {
        let list = commands.enumerated().map { "\($0.offset + 1): \($0.element)" }.joined(separator: "; ")
        return AgentTool(
            "audit_command",
            """
            Runs a command of the user against attacks on TLS and returns which it notices, as Markdown. It may take minutes. \
            The commands: \(list)
            """,
            [.init("number", .integer, "The number of the command.", isRequired: true)],
            isReadOnly: false,
            output: AgentSchema.report
        ) { arguments in
            let range = 1...Int64(commands.count)
            guard let number = try arguments.number("number", in: range) else {
                throw AgentTool.Refusal("number: expected 1 to \(commands.count), found none")
            }
            return try await run(["audit", "--markdown", "-", "--", "sh", "-c", commands[Int(number) - 1]])
        }
    }

    /// Marks exchanges, and sends recorded requests again.
    var changes: [AgentTool] {
        [
            AgentTool(
                "note_exchange",
                "Marks an exchange, or sets a comment on it, for the user.",
                [
                    .init("id", .integer, "The number of the exchange.", isRequired: true),
                    .init("marked", .flag, "Whether it is marked."),
                    .init("comment", .text, "The comment; an empty one is removed."),
                ],
                isReadOnly: false
            ) { [path] arguments in
                let id = try arguments.id()
                let marked = try arguments.flag("marked")
                let comment = try arguments.text("comment")
                let most = TrafficNote.longestComment
                guard (comment?.count ?? 0) <= most else {
                    throw AgentTool.Refusal("comment: expected at most \(most) characters")
                }
                let isFound = try CaptureEditor(path: path).note(id) {
                    $0.take(isMarked: marked, comment: comment)
                }
                guard isFound else { throw AgentTool.Refusal("nothing has the number \(id)") }
                return "done"
            },
            AgentTool(
                "replay_exchange",
                "Sends a recorded request again to its server, and returns what differs from the recorded response, as JSON.",
                [.init("id", .integer, "The number of the exchange.", isRequired: true)],
                isReadOnly: false
            ) { arguments in
                let id = try arguments.id()
                let lines = try await run(["replay", "\(id)", "--json", "--capture", path])
                return try capture.redacted(lines, of: id)
            },
        ]
    }

    /// The bytes that an agent gets of a command's output.
    private static let limit = 1 << 20

    /// Runs this program with other arguments, and returns its output with its exit code.
    ///
    /// If the call is cancelled, the program and its child processes are asked to end, and are killed if they do not.
    private func run(_ words: [String], input: String = "") async throws -> String {
        do {
            return try await work.perform(for: .account(0)) { _ in try await Self.output(words, input) }
        } catch WorkFailure.busy {
            throw AgentTool.Refusal("too many commands wait already: wait for the result of the last one")
        } catch WorkFailure.tooLong(let limit, _) {
            throw AgentTool.Refusal(
                "pinhole \(words.prefix(2).joined(separator: " ")) took longer than \(limit.secondsText), and was ended"
            )
        }
    }

    private static func output(_ words: [String], _ input: String) async throws -> String {
        guard let program = Places.program else {
            throw AgentTool.Refusal("the system does not tell this program's file")
        }
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(2))
        ]
        let result = try await Subprocess.run(
            ChildProcess.executable(program),
            arguments: Arguments(words),
            platformOptions: options,
            input: .string(input),
            output: .string(limit: limit),
            error: .string(limit: limit)
        )
        var code: Int32 = -1
        if case .exited(let exit) = result.terminationStatus { code = exit }
        let output = result.standardOutput
        guard code < 2, !output.isEmpty else {
            throw AgentTool.Refusal(
                "pinhole \(words.prefix(2).joined(separator: " ")) failed (exit code \(code)): \(result.standardError)"
            )
        }
        return output + "\nexit code \(code)"
    }
}
