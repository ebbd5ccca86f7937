import Glibc
import PinholeSession

extension ConfigurationFile {
    /// Asks the user of a terminal to confirm the present content, if it has effects to confirm.
    ///
    /// Only a file and a folder of the user are asked about; somebody else's text is confirmed by a command of its own.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read or used, or if the answer cannot be remembered.
    func askForConsent() throws(CommandFailure) {
        let consent = ConfigurationConsent()
        guard let path, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1,
            (try? checkOwner(path)) != nil
        else { return }
        let content = try content()
        let consequences = try parse(content).consequences(in: folder)
        guard !consequences.isEmpty, !consent.isGiven(path, content) else { return }
        let name = Plain.printable(path)
        StandardError.write("pinhole: you have not confirmed the present content of \(name). It")
        for consequence in consequences { StandardError.write("  \(Plain.printable(consequence))") }
        StandardError.write("pinhole: use it? Write yes and press Return; anything else refuses:")
        guard let answer = readLine()?.trimmed.lowercased(), ["y", "yes"].contains(answer) else { return }
        try consent.give(path, content)
    }
}
