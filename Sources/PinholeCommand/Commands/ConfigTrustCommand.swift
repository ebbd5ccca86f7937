import ArgumentParser
import PinholeSession

/// `pinhole config trust`.
struct ConfigTrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Show the effects of a configuration that need confirmation, and confirm them.",
        discussion: """
            Somebody else may have put a configuration into your folder. So Pinhole
            uses a file that runs programs, listens for other machines, weakens TLS,
            diverts requests or uses files outside of its folder only after you have
            confirmed its present content. On a terminal, “pinhole proxy” and “pinhole run” ask
            about a file of your own. docs/CONFIGURATION.md#confirming-a-configuration has the list.
            A CA in the folder that was not made here is confirmed by its key.

            EXAMPLES
              pinhole config trust
                  ./config.json, and the CA of this folder
              pinhole config trust ci/config.json
              pinhole config trust --watch
                  while you edit a file of your own: each content that you save, until Ctrl-C
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The file (./config.json).")
    var file: String?

    @Flag(help: "Confirm each content that you save from now on, until Ctrl-C.")
    var watch = false

    func run() async throws {
        let named = file ?? options.config
        if named == nil, options.file.path == nil, Places().folderHoldsAuthority {
            let directory = try Places().authorityDirectory()
            guard try !confirmAuthority(in: directory) else { return }
            return StandardOutput.write("the CA in \(directory) was made or confirmed here")
        }
        let source = options.named(file)
        let path = source.path ?? Places.configurationName
        // Somebody else could save into a file that others may write, so such a file is confirmed once and read first.
        if watch { try source.checkOwner(path) }
        var content = try source.content()
        let isHarmful = try confirm(content, of: source, path)
        let isNew = try confirmAuthority(in: try source.parse(content).authority.directory)
        if !isHarmful, !isNew { StandardOutput.write("\(path) has no effect that needs confirmation") }
        guard watch else { return }
        StandardOutput.write("waiting for other contents; Ctrl-C ends")
        while true {
            try await Task.sleep(for: Self.pause)
            // An editor that replaces the file leaves none for a moment.
            guard let next = try? source.content(), next != content else { continue }
            content = next
            try source.checkOwner(path)
            do throws(CommandFailure) {
                // A CA is never confirmed by an edit: its key was not seen by the user.
                if try !confirm(content, of: source, path) {
                    StandardOutput.write("\(path) has no effect that needs confirmation")
                }
            } catch {
                StandardError.write("pinhole: \(Plain.printable(error.message))")
            }
        }
    }

    /// The time between two looks at a file that is being edited.
    private static let pause = Duration.milliseconds(200)

    private var consent: ConfigurationConsent { ConfigurationConsent() }

    /// Shows the effects of a content and confirms it, and returns whether there were any.
    private func confirm(
        _ content: [UInt8],
        of source: ConfigurationFile,
        _ path: String
    ) throws(CommandFailure) -> Bool {
        let consequences = try source.parse(content).consequences(in: source.folder)
        guard !consequences.isEmpty else { return false }
        StandardOutput.write("\(path), used by pinhole proxy and pinhole run:")
        for consequence in consequences { StandardOutput.show("  \(consequence)") }
        try consent.give(path, content)
        StandardOutput.write(
            watch ? "confirmed" : "confirmed for this content; when the file changes, you are asked again"
        )
        return true
    }

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
