import PinholeFiles
import PinholeFormats
import PinholeModel
import PinholeSession

/// Files that a rule of a command line names: relative to the folder of the command, which another process does not know.
enum RuleFiles {
    /// Returns a rule whose members `file` and `folder` are absolute.
    ///
    /// - Throws: ``CommandFailure`` if the rule is no JSON.
    static func resolved(_ text: String) throws(CommandFailure) -> String {
        do throws(DocumentFailure) {
            guard case .object(let members) = try JSONValue(parsing: Array(text.utf8)) else { return text }
            var edit = try JSONEditor(Array(text.utf8))
            for name in ["file", "folder"] {
                guard case .string(let path)? = members[name], !path.hasPrefix("/"), !path.isEmpty else {
                    continue
                }
                try edit.set([name], to: JSONLine.text(FilePath.real(path)))
            }
            return String(decoding: edit.text, as: UTF8.self)
        } catch {
            throw CommandFailure(.usage, "the rule is wrong: \(error)")
        }
    }
}
