import ArgumentParser
import Glibc
import PinholeFiles
import PinholeModel
import PinholeRules
import PinholeRuntime
import PinholeSession

/// `pinhole rules edit`.
struct RulesEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change keys of a rule of a running proxy, or of a file.",
        discussion: """
            EXAMPLES
              pinhole rules edit 0
                  its JSON in $VISUAL or $EDITOR
              pinhole rules edit 0 status=404 body=gone
              pinhole rules edit 'my mock' enabled=false
                  switches it off
              pinhole rules edit 2 when='host == api.example.com' body=null
                  other exchanges, and no body
            """
    )

    @OptionGroup var options: RulePlaceOptions

    @Argument(help: .value("name", "The name, or the number in the list."))
    var name: String

    @Argument(help: .value("changes", "key=value …; null removes a key. Without changes, an editor opens."))
    var changes: [String] = []

    func run() async throws {
        let place = try await options.find()
        let index = try place.index(of: name)
        let entry = place.entries[index]
        let edited = try await changes.isEmpty ? inEditor(entry.text) : changing(entry)
        guard edited != Array(entry.text.utf8) else { return StandardOutput.write("nothing changed") }
        let text = String(decoding: edited, as: UTF8.self)
        try await place.put(text, index..<(index + 1)) { "changed in \($0), \(index)" }
    }

    /// Returns the rule with the changes of the command line.
    private func changing(_ entry: RuleListing.Entry) throws -> [UInt8] {
        do throws(DocumentFailure) {
            var edit = try JSONEditor(Array(entry.text.utf8))
            let keys = (RuleKind(rawValue: entry.kind)?.keys ?? []) + RuleKey.common
            for (name, value) in try RuleLine.values(changes, keys, of: "a key of \(entry.kind)") {
                try edit.set([name], to: value)
            }
            return edit.text
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// Returns the rule as the user leaves it in an editor.
    private func inEditor(_ text: String) async throws -> [UInt8] {
        guard isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("expected changes, such as enabled=false, or a terminal for an editor")
        }
        let folder = try PrivateDirectory(named: "pinhole-rule")
        defer { folder.remove() }
        let before = (try? JSONValue(parsing: Array(text.utf8))).map(JSONText.laidOut) ?? Array(text.utf8)
        let file = try folder.write(before, to: "rule.json")
        guard try await TextEditor.process(for: file).run(SignalWatch([])) == 0 else {
            throw CommandFailure("the editor failed, so the rule stays as it is")
        }
        let after = try File.content(of: file)
        return after == before ? Array(text.utf8) : after
    }
}
