import ArgumentParser
import PinholeConsole
import PinholeFormats
import PinholeSession

/// `pinhole mcp`.
struct McpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Let an agent read a capture (Model Context Protocol).",
        discussion: """
            The agent speaks on standard input and output. It lists, searches and reads exchanges, sees why handshakes
            failed, finds leaks, and runs the lab on a policy. It sees structure: values are tokens, and nothing is
            changed, unless the flags below allow it. The console answers agents, too, at /api/mcp with its token.

            EXAMPLES
              pinhole mcp --capture pinhole.sqlite
              pinhole mcp --allow-values 'host == staging.example.com & path ~ /api/*'
                  the agent sees the values of these exchanges, without the secrets that are recognised
              pinhole mcp --allow-audit 'python3 app.py {url}'
                  the agent may run this command, and no other, against the attacks of the lab
              claude mcp add pinhole -- pinhole mcp --capture /path/to/pinhole.sqlite

            docs/PROGRAMS.md#agents lists the tools.
            """
    )

    @OptionGroup var source: CaptureSource

    @Flag(help: "Give the agent secrets as they were captured: credentials, cookies, tokens, addresses.")
    var showSecrets = false

    @Option(
        help: .value(
            "filter",
            "Show the values of the exchanges that this filter matches, without recognised secrets; may be repeated."
        )
    )
    var allowValues: [String] = []

    @Option(help: .value("glob", "The same for the exchanges with this host; may be repeated."))
    var revealHost: [String] = []

    @Option(help: .value("name", "A name that the agent sees wherever it occurs; may be repeated."))
    var keepName: [String] = []

    @Option(help: .value("path", "A path whose segments the agent sees; may be repeated."))
    var keepPath: [String] = []

    @Flag(help: "Let the agent mark and comment exchanges, and send recorded requests again.")
    var allowChanges = false

    @Option(
        help: .value(
            "command",
            "A command that the agent may audit, as for sh; {url} stands for the URL to fetch. May be repeated."
        )
    )
    var allowAudit: [String] = []

    /// Returns the filter for a host: without an asterisk it is this host alone, and not a part of a name.
    private static func filter(ofHost glob: String) -> String {
        let quoted = glob.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "host \(glob.contains { "*:".contains($0) } ? "~" : "==") \"\(quoted)\""
    }

    func run() async throws {
        let path = try source.path()
        _ = try CaptureSource.open(path)
        let saved = try source.configuration.load().filters
        var permission = AgentPermission()
        permission.showsSecrets = showSecrets
        // An unset variable of a shell must not show everything.
        guard !(allowValues + revealHost).contains(where: { $0.allSatisfy(\.isWhitespace) }) else {
            throw CommandFailure.usage(
                "expected a filter or a host, found none",
                remedy: "--show-secrets shows the values of all exchanges"
            )
        }
        let filters = allowValues + revealHost.map(Self.filter(ofHost:))
        permission.values = try filters.map { try FlagValue.filterInUse([$0], saved) }
        permission.options.names = keepName
        permission.options.paths = keepPath
        let capture = AgentCapture(path, saved: { saved }, permission: permission)
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
