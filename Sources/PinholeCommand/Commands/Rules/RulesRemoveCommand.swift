import ArgumentParser
import PinholeSession

/// `pinhole rules remove`.
struct RulesRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove rules from a running proxy, or from a file.",
        discussion: """
            EXAMPLES
              pinhole rules remove 0
                  the first one of “pinhole rules list”
              pinhole rules remove 'my mock' 2 --config config.json
            """
    )

    @OptionGroup var options: RulePlaceOptions

    @Argument(help: .value("name", "Names, or numbers in the list."))
    var names: [String]

    func run() async throws {
        let place = try await options.find()
        let removed = Set(try names.map { try place.index(of: $0) })
        let kept = place.entries.indices.filter { !removed.contains($0) }
        try await place.replace(with: kept.map { place.entries[$0].text })
        for index in removed.sorted() {
            StandardOutput.show("removed from \(place.name): \(Plain.printable(place.entries[index].name))")
            StandardOutput.write("     \(RuleJSON.line(place.entries[index].text))")
        }
    }
}
