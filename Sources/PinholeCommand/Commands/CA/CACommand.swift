import ArgumentParser

/// `pinhole ca`.
struct CACommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ca",
        abstract: "Make, show, export and remove Pinhole's CA.",
        discussion: """
            EXAMPLES
              pinhole ca init
                  make it now; the first “pinhole proxy” or “pinhole run” does so, too
              pinhole ca export --output pinhole-ca.pem
                  the certificate, for a client that is to trust it; the key is never exported
              pinhole ca uninstall --yes
                  remove it, and list the trust stores that still contain it

            docs/INSTALL.md#the-certificate-authority describes the files, how to trust and distrust the CA, and what its key
            can do.
            """,
        subcommands: [
            CAInitCommand.self, CAShowCommand.self, CAExportCommand.self, CAPathCommand.self,
            CAUninstallCommand.self,
        ]
    )
}
