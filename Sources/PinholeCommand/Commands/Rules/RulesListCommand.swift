import ArgumentParser
import PinholeSession

/// `pinhole rules list`.
struct RulesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the rules in the order in which Pinhole tries them, each with its JSON.",
        discussion: """
            EXAMPLES
              pinhole rules list
                  of the proxy that records into the usual capture, else of ./config.json
              pinhole rules list ci/config.json
              pinhole rules list --json
                  the rules alone, as config.json has them
            """
    )

    @OptionGroup var options: RulePlaceOptions

    @Flag(help: "Print each rule as JSON in one line.")
    var json = false

    @Argument(help: "The file (of the running proxy, else ./config.json).")
    var file: String?

    func run() async throws {
        let place = try await options.find(file)
        guard !json else {
            for entry in place.entries { StandardOutput.write(RuleJSON.line(entry.text)) }
            return
        }
        guard !place.entries.isEmpty else { return StandardOutput.write("no rules") }
        for (index, entry) in place.entries.enumerated() {
            let columns = [
                "\(index)".padded(to: 3), entry.name.padded(to: 20), entry.kind.padded(to: 20),
                entry.filter.isEmpty ? "all" : entry.filter, entry.isEnabled ? "" : "(off)",
                place.isCounted ? Plain.count(entry.hits, "match", "matches") : "",
            ]
            StandardOutput.show(Plain.printable(columns.filter { !$0.isEmpty }.joined(separator: "  ")))
            // In one piece, so that it can be copied into config.json.
            StandardOutput.write("     \(RuleJSON.line(entry.text))")
        }
    }
}

/// A rule as JSON in one line.
enum RuleJSON {
    /// Returns a text of JSON without its line breaks; a text within it has none.
    static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map(\.trimmed).joined(separator: " ")
    }
}
