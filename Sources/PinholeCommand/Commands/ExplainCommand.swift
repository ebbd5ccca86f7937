import ArgumentParser
import PinholeFormats
import PinholeModel
import PinholeRuntime
import PinholeSession

/// `pinhole explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say if a host is decrypted, and which setting decides.",
        discussion: """
            Patterns are always matched against the host and port that a client asks for. The exit code is 0 for a host
            that would be intercepted, and 1 for one that would be passed through.

            EXAMPLES
              pinhole explain example.com:443
              pinhole explain bücher.example
                  without a port, port 443 is meant
              pinhole explain --json api.example.com:8443
            """
    )

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var authority: AuthorityOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @Argument(
        help: .value("host:port", "The server that a client asks for."),
        transform: FlagValue.server
    )
    var target: Authority

    func run() throws {
        let loaded = try options.load(authority)
        let explanation = try Explanation(of: target, by: loaded)
        if json {
            StandardOutput.write(JSONLine.text(explanation))
        } else {
            for (name, value) in explanation.rows { StandardOutput.show("\(name.padded(to: 19))\(value)") }
        }
        if explanation.treatment != Treatment.intercepted.rawValue {
            throw ExitCode(ExitStatus.negative.rawValue)
        }
    }
}
