import PinholeCrypto
import PinholeFilter
import PinholeFormats
import PinholeModel

/// Writes the current settings into the configuration file.
///
/// Only the members that differ are written anew; all other bytes stay the same. The new file replaces the old one
/// atomically, and keeps its mode.
package struct ConfigurationWriter: Sendable {
    /// The path of the file.
    package let path: String
    private let onWrite: @Sendable (_ before: [UInt8]?, _ after: [UInt8]) -> Void

    /// Creates the writer of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - onWrite: Called after each write with the old and the new text; the old text is `nil` if there was no file.
    package init(
        path: String,
        onWrite: @escaping @Sendable (_ before: [UInt8]?, _ after: [UInt8]) -> Void = { _, _ in }
    ) {
        self.path = path
        self.onWrite = onWrite
    }

    /// Returns the change that a write would make.
    ///
    /// - Parameter configuration: The current settings.
    /// - Returns: The file as it is and as it would be written.
    /// - Throws: ``Problem`` if the file cannot be edited.
    package func preview(of configuration: Configuration) throws(Problem) -> SettingsFile {
        try change(configuration).shown
    }

    /// Writes the current settings.
    ///
    /// - Parameters:
    ///   - configuration: The current settings.
    ///   - fingerprint: The fingerprint of the preview: of the file and of the text to write.
    /// - Returns: The written file.
    /// - Throws: ``Problem`` if the file was not written.
    package func write(
        _ configuration: Configuration,
        over fingerprint: String
    ) throws(Problem) -> SettingsFile {
        let change = try change(configuration)
        guard change.shown.fingerprint == fingerprint else {
            throw Problem(
                409,
                "changed meanwhile",
                "\(path) or the settings changed after the difference was shown",
                remedy: "look at the difference again"
            )
        }
        if change.after != change.before || !change.exists {
            do throws(CommandFailure) {
                try FileReplacement(path: path).write(
                    change.after,
                    replacing: change.exists ? change.before : nil
                )
            } catch {
                throw Problem(500, "not written", error.message, remedy: error.remedy)
            }
            onWrite(change.exists ? change.before : nil, change.after)
        }
        return try self.change(configuration).shown
    }

    /// A change that has been computed but not written.
    private struct Change {
        let path: String
        let exists: Bool
        let before: [UInt8]
        let after: [UInt8]

        var shown: SettingsFile {
            SettingsFile(
                path: path,
                exists: exists,
                fingerprint: Digest.text(Digest.sha256([exists ? 1 : 0] + before + [0] + after)),
                before: String(decoding: before, as: UTF8.self),
                after: String(decoding: after, as: UTF8.self)
            )
        }
    }

    private func change(_ configuration: Configuration) throws(Problem) -> Change {
        let content: [UInt8]?
        do throws(CommandFailure) {
            content = try FileReplacement(path: path).content()
        } catch {
            throw Problem(500, "cannot be read", error.message, remedy: error.remedy)
        }
        do throws(DocumentFailure) {
            let after = try edited(content ?? [], configuration, isNew: content == nil)
            return Change(path: path, exists: content != nil, before: content ?? [], after: after)
        } catch {
            throw Problem(
                422,
                "cannot be edited",
                error.inFile(path).description,
                remedy: "fix the file by hand; pinhole config check names every fault"
            )
        }
    }

    /// Returns the text of a rule with its lines below its brace in the file.
    ///
    /// A rule that was read from a file has such lines.
    private static func indented(_ rule: String) -> String {
        guard rule.hasSuffix("\n}") else { return rule }
        // A text in JSON has no line end of its own.
        return rule.replacing("\n", with: "\n    ")
    }

    private func edited(
        _ before: [UInt8],
        _ configuration: Configuration,
        isNew: Bool
    ) throws(DocumentFailure) -> [UInt8] {
        let isEmpty = before.allSatisfy { $0 <= 0x20 }
        var edit = try JSONEditor(isEmpty ? Self.empty : before)
        let (value, quoted) = try JSONValue.parse(edit.text, quoting: "rules")
        // The new text is parsed again before the file is touched, so that the proxy can read it.
        let known = try Configuration(value)
        // The defaults of a new file are the folder's own CA and capture; the proxy must keep those in use.
        if isNew, known.authority.directory != configuration.authority.directory {
            try edit.set(["ca", "directory"], to: JSONLine.text(configuration.authority.directory))
        }
        if isNew, let file = configuration.capture.file, known.capture.file != file {
            try edit.set(["capture", "file"], to: JSONLine.text(file))
        }
        if known.tls.passthrough != configuration.tls.passthrough {
            try edit.set(["tls", "passthrough"], to: JSONLine.text(configuration.tls.passthrough))
        }
        if known.capture.filterText != configuration.capture.filterText {
            let text = configuration.capture.filterText
            try edit.set(["capture", "filter"], to: text.isEmpty ? "null" : JSONLine.text(text))
        }
        if known.filters != configuration.filters {
            let lines = configuration.filters.entries.map {
                "\n    \(JSONLine.text($0.name)): \(JSONLine.text($0.text))"
            }
            try edit.set(["filters"], to: lines.isEmpty ? "{}" : "{\(lines.joined(separator: ","))\n  }")
        }
        let texts =
            try quoted.map { (text) throws(DocumentFailure) in try JSONEditor(Array(text)).elements } ?? []
        let rules = configuration.ruleTexts.map(Self.indented)
        if texts != rules {
            let lines = rules.map { "\n    \($0)" }.joined(separator: ",")
            try edit.set(["rules"], to: lines.isEmpty ? "[]" : "[\(lines)\n  ]")
        }
        _ = try Configuration(JSONValue(parsing: edit.text))
        return edit.text == Self.empty ? before : edit.text
    }

    /// The text of a file without settings.
    private static let empty = Array("{}\n".utf8)
}
