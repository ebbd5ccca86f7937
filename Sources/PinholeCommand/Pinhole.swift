import ArgumentParser
import PinholeSession

/// `pinhole`, the root of all commands.
struct Pinhole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pinhole",
        abstract: "See what programs say over HTTPS, and test whether their pins hold.",
        discussion: """
            A CA signs the certificates of servers. Pinhole signs with a CA of its own, so it decrypts the traffic of each
            program that trusts this CA, and records it in a file, the capture. A program that pins accepts only server
            keys that it knows, the pins, and refuses Pinhole. A policy file lists pins.
            An exchange is a request with its response. A flow is a connection of a client, with its exchanges.

            EXAMPLES
              pinhole run -- curl https://example.com/
                  one program, intercepted; nothing is installed
              pinhole proxy
                  a proxy on 127.0.0.1:8080 for every program that you tell to use it
              pinhole browser https://example.com/
                  a browser with a fresh profile, through that proxy
              pinhole flows list
                  the recorded requests

            Exit codes: 0 done, 1 nothing or a fault found, 2 wrong usage, 3 could not run.
            """,
        version: ProgramVersion.text,
        groupedSubcommands: [
            // The commands of a group that few users need come last.
            CommandGroup(
                name: "See traffic",
                subcommands: [
                    RunCommand.self, AttachCommand.self, ProxyCommand.self, BrowserCommand.self,
                    FlowsCommand.self, ConsoleCommand.self, TopCommand.self, ExplainCommand.self,
                    McpCommand.self,
                ]
            ),
            CommandGroup(name: "Change traffic", subcommands: [RulesCommand.self, ReplayCommand.self]),
            CommandGroup(
                name: "Prove that pins hold",
                subcommands: [
                    PinsCommand.self, LabCommand.self, AuditCommand.self, FetchCommand.self,
                    JudgeCommand.self,
                ]
            ),
            CommandGroup(name: "Teach", subcommands: [ClassCommand.self, DemoCommand.self]),
            CommandGroup(
                name: "Manage",
                subcommands: [
                    DoctorCommand.self, CACommand.self, ConfigCommand.self, IsolatedCommand.self,
                    AttachedCommand.self,
                ]
            ),
        ]
    )

    /// The answer to the name alone: the three things that most people want.
    static let welcome = """
        Pinhole shows what programs send over HTTPS, and whether their pins hold.

        Debug one program:
          pinhole run -- curl https://example.com/
          pinhole flows list

        Browse, with the proxy in one terminal and the browser from another:
          pinhole proxy
          pinhole browser https://example.com/

        Test whether pins notice a man in the middle:
          pinhole lab
          pinhole lab --policy network_security_config.xml

        Pinhole makes a CA of its own at the first use. It changes no trust store of
        this system; pinhole ca uninstall --yes removes it.

        More: pinhole demo (a tour without Internet), pinhole help, pinhole help lab
        """

    func run() { StandardOutput.write(Self.welcome) }
}
