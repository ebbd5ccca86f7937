import ArgumentParser
import PinholeConsole
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
        await AgentConversation(AgentSession(server)).run()
    }
}
