import ArgumentParser
import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeSession

/// `pinhole ca init`.
struct CAInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a new certificate authority.",
        discussion: """
            EXAMPLES
              pinhole ca init
              pinhole ca init --key rsa3072
                  for clients without elliptic curves
              pinhole ca init --permit example.test --permit 10.0.0.0/8
                  the CA can sign for these names and addresses alone; other hosts are passed through
            """
    )

    @OptionGroup var options: CAOptions

    @Option(help: .value("kind", "The kind of key: p256 or rsa3072."))
    var key: Configuration.Authority.Key?

    @Option(help: .value("domain", "A domain or network that the CA may sign for; may be repeated."))
    var permit: [String] = []

    func run() throws {
        var wanted = try options.load()
        if let key { wanted.keyAlgorithm = key }
        if !permit.isEmpty { wanted.permittedDomains = permit.map(InternationalName.ascii) }
        let directory = AuthorityDirectory(path: wanted.directory)
        let authority = try directory.create(wanted.options, now: LoopClock().now())
        // If the key cannot be remembered, the first use asks the user, which does no harm.
        try? ConfigurationConsent().give(authority.identity.chain, in: directory.path)
        StandardOutput.write(path: directory.certificatePath)
        StandardError.write("made \(authority.root.subject), valid until \(authority.notAfter.iso8601)")
        StandardError.write(Self.reach(of: wanted.permittedDomains, key: directory.keyPath))
    }

    /// Returns a sentence for the user about the sites that the holder of the key can impersonate.
    private static func reach(of domains: [String], key: String) -> String {
        guard !domains.isEmpty else {
            return "anybody who has \(key) can impersonate every site to programs that trust this CA"
        }
        return
            "anybody who has \(key) can impersonate \(domains.joined(separator: ", ")) to programs that trust this CA, and "
            + "every site to programs that do not check name constraints (docs/INSTALL.md#what-the-key-can-do)"
    }
}

extension Configuration.Authority.Key: ExpressibleByArgument {}
