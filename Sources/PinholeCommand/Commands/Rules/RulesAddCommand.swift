import ArgumentParser
import PinholeModel

/// `pinhole rules add`.
struct RulesAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a rule to a running proxy, or to a file.",
        discussion: """
            EXAMPLES
              pinhole rules add mock '/users/*' status=503 body='{"error": "down"}'
                  to the proxy that records into the usual capture, else to ./config.json
              pinhole rules add delay api.example.com seconds=2 --at 0
                  before all others
              pinhole rules add '{"do": "block", "when": "host ~ *.ads.example"}' --config ci/config.json

            A pattern is a path, a host or a URL, each with “*”, or a filter. A key with a list may be repeated. What it
            changes in a running proxy ends with the proxy. docs/RULES.md#on-the-command-line explains the notation.
            """
    )

    @OptionGroup var options: RulePlaceOptions

    @Option(help: .value("n", "The number that the rule gets in the list (behind the others)."))
    var at: Int?

    @Argument(help: .value("rule", "KIND PATTERN key=value …, or JSON."))
    var rule: [String]

    func run() async throws {
        let text: String
        do throws(DocumentFailure) {
            text = rule.count == 1 ? try RuleLine.json(of: rule[0]) : try RuleLine(words: rule).json
        } catch {
            throw ValidationError("\(error)")
        }
        let place = try await options.find()
        let index = at ?? place.entries.count
        guard (0...place.entries.count).contains(index) else {
            throw ValidationError("--at: expected 0 to \(place.entries.count), found \(index)")
        }
        try await place.put(text, index..<index) { "added to \($0) as \(index)" }
    }
}
