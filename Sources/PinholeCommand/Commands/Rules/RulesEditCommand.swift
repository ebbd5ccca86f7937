import ArgumentParser
import PinholeModel
import PinholeRules
import PinholeSession

/// `pinhole rules edit`.
struct RulesEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change keys of a rule of a running proxy, or of a file.",
        discussion: """
            EXAMPLES
              pinhole rules edit 0 status=404 body=gone
              pinhole rules edit 'my mock' enabled=false
                  switches it off
              pinhole rules edit 2 when='host == api.example.com' body=null
                  other exchanges, and no body
            """
    )

    @OptionGroup var options: RulePlaceOptions

    @Argument(help: ArgumentHelp("The name, or the number in the list.", valueName: "name"))
    var name: String

    @Argument(help: ArgumentHelp("key=value …; null removes a key.", valueName: "changes"))
    var changes: [String]

    func validate() throws {
        guard !changes.isEmpty else { throw ValidationError("expected changes, such as enabled=false") }
    }

    func run() async throws {
        let place = try await options.find()
        let index = try place.index(of: name)
        let entry = place.entries[index]
        let kind = RuleKind(rawValue: entry.kind)
        let edited: [UInt8]
        do throws(DocumentFailure) {
            var edit = try JSONEditor(Array(entry.text.utf8))
            let keys = (kind?.keys ?? []) + RuleKey.common
            for (name, value) in try RuleLine.values(changes, keys, of: "a key of \(entry.kind)") {
                try edit.set([name], to: value)
            }
            edited = edit.text
        } catch {
            throw ValidationError("\(error)")
        }
        let text = try RuleFiles.resolved(String(decoding: edited, as: UTF8.self))
        let reading = try await place.reading(text, at: index)
        var texts = place.entries.map(\.text)
        texts[index] = text
        try await place.replace(with: texts)
        StandardOutput.show("changed in \(place.name), \(index): \(Plain.printable(reading.sentence))")
        StandardOutput.write("     \(RuleJSON.line(text))")
        for remark in reading.remarks { StandardError.write("pinhole: \(Plain.printable(remark))") }
    }
}
