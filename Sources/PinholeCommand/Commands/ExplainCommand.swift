import ArgumentParser
import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeRuntime

/// `pinhole explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say what would be done with a host, and which rule decides.",
        discussion: """
            Patterns are always matched against the host and port that a client asks for. The exit code is 0 for a host
            that would be intercepted, and 1 for one that would be passed through.

            EXAMPLES
              pinhole explain example.com:443
              pinhole explain bücher.example
                  port 443 is meant where none is written
              pinhole explain --json api.example.com:8443
            """
    )

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var authority: AuthorityOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @Argument(
        help: ArgumentHelp("What a client asks for.", valueName: "host:port"),
        transform: { text in
            try FlagValue.parse(InternationalName.ascii(text)) { (text) throws(AddressFailure) in
                try Authority(text, defaultPort: 443)
            }
        }
    )
    var target: Authority

    func run() throws {
        var loaded = try options.load()
        authority.apply(to: &loaded)
        let explanation = try Explanation(of: target, by: loaded)
        if json {
            StandardOutput.write(JSONLine.text(explanation))
        } else {
            for (name, value) in explanation.rows { StandardOutput.write("\(name.padded(to: 19))\(value)") }
        }
        if explanation.treatment != Treatment.intercepted.rawValue {
            throw ExitCode(ExitStatus.negative.rawValue)
        }
    }
}

/// What would be done with a host.
struct Explanation: Encodable, Equatable {
    let authority: String
    let treatment: String
    let reason: String
    let badCertificate: String
    let exemption: String?
    let clientCertificate: String?
    let addresses: [String]?

    /// Applies the rules of `configuration` to `target`.
    init(of target: Authority, by configuration: Configuration) throws {
        let directory = AuthorityDirectory(path: configuration.authority.directory)
        // Its limits count, also where the key cannot be read.
        let limits = ((try? directory.certificates()) ?? []).compactMap(\.nameConstraints)
        let rules = InterceptionRules(passthrough: try HostRules(configuration.tls.passthrough)) { host in
            limits.allSatisfy { $0.permits(host) }
        }
        let decision = rules.decide(target)
        authority = target.description
        treatment = decision.treatment.rawValue
        reason = decision.reason
        let servers = ServerPolicy(
            badCertificate: configuration.tls.badCertificate,
            exemptions: configuration.tls.exemptions
        )
        badCertificate = servers.badCertificate.rawValue
        exemption = servers.exemption(for: target).map { "\($0.pattern): \($0.reason)" }
        clientCertificate =
            configuration.tls.clientCertificates.last { entry in
                entry.hosts.contains { $0.matches(target) }
            }?.file
        addresses = configuration.resolve.last { $0.matches(target) }?.addresses.map(\.description)
    }

    /// What people read.
    var rows: [(name: String, value: String)] {
        [
            ("host", authority),
            ("decision", reason),
            (
                "bad certificate",
                exemption.map { "accepted by the exemption \($0)" }
                    ?? "\(badCertificate), by tls.badCertificate"
            ),
            ("client certificate", clientCertificate ?? "none"),
            ("address", addresses?.joined(separator: ", ") ?? "looked up"),
        ]
    }
}
