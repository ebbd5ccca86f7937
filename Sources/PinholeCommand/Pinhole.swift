import ArgumentParser

/// `pinhole`, the root of all commands.
struct Pinhole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pinhole",
        abstract: "See what programs say over TLS, and test whether their pinning holds.",
        discussion: """
            EXAMPLES
              pinhole run -- curl https://example.com/
                  one program, intercepted; nothing is installed
              pinhole proxy
                  a proxy on 127.0.0.1:8080 for whoever is told to use it
              pinhole browser https://example.com/
                  a browser with a fresh profile, through that proxy
              pinhole flows list
                  what was recorded

            Exit codes: 0 done, 1 a negative result, 2 wrong usage, 3 could not run.
            """,
        version: ProgramVersion.text,
        subcommands: [
            ProxyCommand.self, RunCommand.self, BrowserCommand.self, FlowsCommand.self, ReplayCommand.self,
            ConsoleCommand.self, ExplainCommand.self,
            CACommand.self,
            ConfigCommand.self, RulesCommand.self, DoctorCommand.self, DemoCommand.self, FetchCommand.self,
            PinsCommand.self,
            JudgeCommand.self, LabCommand.self, AuditCommand.self, IsolatedCommand.self,
        ]
    )
}
