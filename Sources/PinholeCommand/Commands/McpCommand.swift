import ArgumentParser
import Glibc
import PinholeConsole
import PinholeLock
import PinholeRuntime
import PinholeStore

/// `pinhole mcp`.
struct McpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Let an agent read a capture, by the Model Context Protocol on standard input and output.",
        discussion: """
            The agent lists, searches and reads exchanges, sees why handshakes failed, finds leaks, and runs the lab on a policy.
            Secrets are replaced by tags, and nothing is changed, unless the flags below allow it. The console answers agents,
            too, at /api/mcp with its token.

            EXAMPLES
              pinhole mcp --capture pinhole.sqlite
              pinhole mcp --allow-audit 'python3 app.py {url}'
                  the agent may run this command, and no other, against the attacks of the lab
              claude mcp add pinhole -- pinhole mcp --capture /path/to/pinhole.sqlite

            docs/PROGRAMS.md#agents lists the tools.
            """
    )

    @OptionGroup var source: CaptureSource

    @Flag(help: "Give the agent secrets as they were captured: credentials, cookies, tokens, addresses.")
    var showSecrets = false

    @Flag(help: "Let the agent mark and comment exchanges, and send recorded requests again.")
    var allowChanges = false

    @Option(
        help: ArgumentHelp(
            "A command that the agent may audit, as for sh; {url} stands for the URL to fetch. May be repeated.",
            valueName: "command"
        )
    )
    var allowAudit: [String] = []

    func run() async throws {
        let path = try source.path()
        _ = try CaptureSource.open(path)
        let saved = try source.configuration.load().filters
        let capture = AgentCapture(path, saved: { saved }, showsSecrets: showSecrets)
        let programs = AgentPrograms(path: path, capture: capture)
        var tools = capture.tools + [programs.lab]
        if !allowAudit.isEmpty { tools.append(programs.audit(allowAudit)) }
        if allowChanges { tools += programs.changes }
        let server = AgentServer(
            tools: tools,
            version: ProgramVersion.number,
            instructions: AgentCapture.instructions
        )
        // A long audit must not keep quick questions waiting. Answers may come in any order.
        let output = Lock(())
        await withDiscardingTaskGroup { group in
            for await line in StandardInput.lines() {
                group.addTask {
                    guard let answer = await server.answer(line) else { return }
                    output.withLock { (_: inout Void) -> Void in
                        _ = FileDescriptorOutput.write(answer + [0x0a], to: STDOUT_FILENO)
                    }
                }
            }
        }
    }
}

/// The lines of standard input.
private enum StandardInput {
    /// The largest message that is read; a longer one ends the conversation.
    private static let limit = 16 << 20

    /// Returns the lines without their ends, until the input ends.
    static func lines() -> AsyncStream<[UInt8]> {
        let (lines, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        WorkQueue("pinhole.mcp.input").perform {
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while rest.count <= limit {
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                rest += buffer[..<count]
                while let end = rest.firstIndex(of: 0x0a) {
                    let line = Array(rest[..<end])
                    rest.removeSubrange(...end)
                    if line.contains(where: { $0 > 0x20 }) { continuation.yield(line) }
                }
            }
            continuation.finish()
        }
        return lines
    }
}
