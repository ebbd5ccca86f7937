import ArgumentParser
import PinholeCrypto
import PinholeSession

/// `pinhole ca uninstall`.
struct CAUninstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Remove the certificate authority, and list the trust stores that still contain it.",
        discussion: """
            EXAMPLES
              pinhole ca uninstall
                  shows the files, and the commands that make clients distrust the CA; exits with 1
              pinhole ca uninstall --yes
            """
    )

    @OptionGroup var options: CAOptions

    @Flag(help: "Remove the files.")
    var yes = false

    func run() async throws {
        let directory = AuthorityDirectory(path: try options.load().directory)
        let paths = directory.removablePaths
        guard !paths.isEmpty else {
            throw CommandFailure(
                .negative,
                "there is no CA in \(directory.path), so there is nothing to remove"
            )
        }
        if let root = try? directory.root() { await tellStores(root) }
        guard yes else {
            for path in paths { StandardOutput.write("would remove \(path)") }
            StandardOutput.write("would remove \(directory.path), if nothing else is in it")
            throw CommandFailure(.negative, "nothing was removed", remedy: "pinhole ca uninstall --yes")
        }
        for path in try directory.uninstall() { StandardOutput.write("removed \(path)") }
    }

    /// Lists the trust stores that contain the CA, before the certificate that they are searched for is removed.
    private func tellStores(_ root: Certificate) async {
        let findings = await TrustStoreSurvey(root: root).findings()
        let trusting = findings.filter { $0.knowledge == .known }
        if trusting.isEmpty { StandardOutput.write("no checked trust store contains the CA") }
        for finding in trusting {
            StandardOutput.write("\(finding.store) trusts the CA; to remove it there:\n  \(finding.removal)")
        }
        for finding in findings {
            if case .unknown(let reason) = finding.knowledge {
                StandardError.write("\(finding.store) was not checked: \(reason)")
            }
        }
    }
}
