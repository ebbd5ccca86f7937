import PinholeFiles

extension Configuration {
    /// The effect of paths outside of the folder that the user confirms, for docs/CONFIGURATION.md.
    static let outsideEffect =
        "files elsewhere are read or written. `ca.directory` and `capture.file` need no confirmation in Pinhole's own "
        + "directories of this user"

    /// Lists the effects of the configuration that its user has to confirm, a phrase each.
    ///
    /// Each key declares its own (``ConfigurationKey/harm``), and each kind of rule (`RuleKind.effects`). A person who
    /// can put a file into a folder must not be able to run programs, open listeners, weaken TLS, divert or change
    /// messages, delete records or use files elsewhere. TLS below 1.2 cannot be configured at all.
    ///
    /// - Parameter folder: The folder of the file; empty for that of the process.
    /// - Returns: The phrases; empty if nothing has to be confirmed.
    package func consequences(in folder: String) -> [String] {
        let harms = ConfigurationSection.all.flatMap(\.harms)
        let phrases =
            harms.flatMap { $0.harm.phrases(self, $0.key) }
            + pathsOutside(folder).map { "uses \($0), which is outside of its folder" }
        return phrases.map { Self.clipped(Plain.printable($0)) }
    }

    /// The characters of a phrase that are shown; a longer one loses its middle, so that none hides the others.
    private static let phraseLength = 400

    private static func clipped(_ phrase: String) -> String {
        guard phrase.count > phraseLength else { return phrase }
        return "\(phrase.prefix(phraseLength / 2))…\(phrase.suffix(phraseLength / 2))"
    }

    /// Returns the files and folders that do not lie below `folder`.
    ///
    /// The CA and the capture may also lie in the user's own directories of Pinhole. Nothing else may: a rule
    /// could send the files there.
    private func pathsOutside(_ folder: String) -> [String] {
        let places = Places()
        let folder = folder.isEmpty ? "." : folder
        let own = [folder, try? places.dataDirectory(), try? places.stateDirectory()].compactMap(\.self)
        let kept = [authority.directory, capture.file].compactMap(\.self)
        var paths: [String] = []
        var others = self
        others.authority.directory = folder
        others.capture.file = nil
        others.changePaths { path in
            paths.append(path)
            return path
        }
        return kept.filter { !Self.lies($0, in: own) } + paths.filter { !Self.lies($0, in: [folder]) }
    }

    /// Returns whether a path lies in one of the folders, after links are followed.
    package static func lies(_ path: String, in folders: [String]) -> Bool {
        let path = FilePath.real(path)
        return folders.map(FilePath.real).contains { path == $0 || path.hasPrefix("\($0)/") }
    }
}
