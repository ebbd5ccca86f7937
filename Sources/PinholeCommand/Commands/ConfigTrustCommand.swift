import ArgumentParser
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

            EXAMPLES
              pinhole config trust
                  ./config.json
              pinhole config trust ci/config.json
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The file (./config.json).")
    var file: String?

    func run() throws {
        let named = file ?? options.config
        let source = ConfigurationFile(named: named ?? Places.configurationName, isFound: named == nil)
        let path = source.path ?? Places.configurationName
        let content = try source.content()
        let consequences = try source.parse(content).consequences(in: source.folder)
        guard !consequences.isEmpty else {
            return StandardOutput.write("\(path) has no effect that needs confirmation")
        }
        StandardOutput.write("\(path), used by pinhole proxy and pinhole run:")
        for consequence in consequences { StandardOutput.show("  \(consequence)") }
        try ConfigurationConsent().give(path, content)
        StandardOutput.write("confirmed for this content; when the file changes, you are asked again")
    }
}
