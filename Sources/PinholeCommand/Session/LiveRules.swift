import PinholeConsole
import PinholeFilter
import PinholeModel
import PinholeRules

/// The rules of a running proxy, as the console shows and changes them.
struct LiveRules: Sendable {
    let proxy: ProxySession
    /// The folder that paths in rules are relative to.
    let folder: String
    let journal: ConsoleJournal

    /// How they stand.
    var listing: RuleListing {
        let running = proxy.running
        let rules = running.configuration.rules
        return RuleListing(
            revision: running.revision,
            rules: zip(rules.rules, running.configuration.ruleTexts).map { rule, text in
                RuleListing.Entry(
                    text: text,
                    name: rule.name,
                    kind: rule.action.kind.rawValue,
                    summary: rule.action.kind.summary,
                    filter: rule.filter == .everything ? "" : rule.filter.description,
                    isEnabled: rule.isEnabled,
                    hits: proxy.sink.tally[rule.name]
                )
            },
            remarks: rules.remarks(in: RuleSurroundings(running.configuration)).map {
                RuleListing.Remark(index: $0.index, text: $0.text)
            },
            kinds: RuleKind.allCases.map { RuleListing.Kind(kind: $0.rawValue, summary: $0.summary) },
            presets: ThrottlePreset.allCases.map { preset in
                let throttling = preset.throttling
                return RuleListing.Preset(
                    name: preset.rawValue,
                    downKilobits: (throttling.down ?? 0) / 1000,
                    upKilobits: (throttling.up ?? 0) / 1000,
                    latencyMilliseconds: throttling.latency.milliseconds
                )
            },
            programs: proxy.settings.programs.map(\.name)
        )
    }

    /// Lets others count from now on.
    ///
    /// - Parameters:
    ///   - texts: The rules, each as JSON.
    ///   - revision: Which state was seen; `nil` to change whatever there is.
    /// - Returns: Why not; `nil` where they count.
    func replace(with texts: [String], revision: Int?) -> Problem? {
        let set: RuleSet
        let saved = proxy.settings.filters
        do throws(Problem) {
            set = try read(texts, saved)
        } catch {
            return error
        }
        guard proxy.use(set, texts, saved, revision: revision) else {
            return Problem(
                409,
                "changed meanwhile",
                "the rules are others by now than those that were changed here",
                remedy: "read them again; what you wrote is not lost before you leave"
            )
        }
        let enabled = set.enabled.count
        journal.note(.notice, "rules set in the console: \(enabled) of \(set.rules.count) are switched on")
        return nil
    }

    /// Reads rules.
    ///
    /// - Parameters:
    ///   - texts: The rules, each as JSON.
    ///   - saved: The filters that they may call.
    /// - Returns: The rules, with paths as the process can use them.
    /// - Throws: ``Problem`` with the index of the one that cannot be read.
    func read(_ texts: [String], _ saved: SavedFilters) throws(Problem) -> RuleSet {
        var rules: [Rule] = []
        let declared = proxy.settings.programs
        for (index, text) in texts.enumerated() {
            do throws(DocumentFailure) {
                let value = try JSONValue(parsing: Array(text.utf8))
                let path = "rules[\(index)]"
                // Whoever asks this names programs, and cannot declare any.
                rules.append(
                    try Rule(value, number: index + 1, path: path, vocabulary: saved.vocabulary)
                        .resolvingProgram(declared, path: path)
                )
            } catch {
                var problem = Problem(422, "rule not understood", error.description)
                problem.index = index
                throw problem
            }
        }
        return RuleSet(rules).resolvingPaths { ConfigurationFile.resolve($0, in: folder) }
    }
}
