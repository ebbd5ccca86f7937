import ArgumentParser
import PinholeModel
import PinholeSession

/// `pinhole config trust`.
struct ConfigTrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Show the effects of a configuration that need confirmation, and confirm them.",
        discussion: """
            Somebody else may have put a configuration into your folder. So Pinhole
            uses a file that runs programs, listens for other machines, weakens TLS,
            diverts requests or uses files outside of its folder only after you have
            confirmed its present content. docs/CONFIGURATION.md#confirming-a-configuration has the list.
            A CA in the folder that was not made here is confirmed by its key.

            EXAMPLES
              pinhole config trust
                  ./config.json, and the CA of this folder
              pinhole config trust ci/config.json
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The file (./config.json).")
    var file: String?

    func run() throws {
        let named = file ?? options.config
        if named == nil, options.file.path == nil, Places().folderHoldsAuthority {
            let directory = try Places().authorityDirectory()
            guard try !confirmAuthority(in: directory) else { return }
            return StandardOutput.write("the CA in \(directory) was made or confirmed here")
        }
        let source = ConfigurationFile(named: named ?? Places.configurationName, isFound: named == nil)
        let path = source.path ?? Places.configurationName
        let content = try source.content()
        let configuration = try source.parse(content)
        let consequences = configuration.consequences(in: source.folder)
        if !consequences.isEmpty {
            StandardOutput.write("\(path), used by pinhole proxy and pinhole run:")
            for consequence in consequences { StandardOutput.show("  \(consequence)") }
            try consent.give(path, content)
            StandardOutput.write("confirmed for this content; when the file changes, you are asked again")
        }
        let isNew = try confirmAuthority(in: configuration.authority.directory)
        if consequences.isEmpty, !isNew {
            StandardOutput.write("\(path) has no effect that needs confirmation")
        }
    }

    private var consent: ConfigurationConsent { ConfigurationConsent() }

    /// Confirms the CA of a directory, and returns whether it had to be confirmed.
    private func confirmAuthority(in directory: String) throws(CommandFailure) -> Bool {
        guard let (root, certificates) = consent.unconfirmedAuthority(in: directory) else { return false }
        StandardOutput.write("the CA in \(Plain.printable(directory)), which was not made here:")
        StandardOutput.show("  \(ConfigurationConsent.effect(of: root))")
        try consent.give(certificates, in: directory)
        StandardOutput.write("confirmed for this key")
        return true
    }
}
