import PinholeConsole
import PinholeFilter
import PinholeModel
import PinholeRules

/// The rules of a running proxy, as the console shows and changes them.
struct LiveRules: Sendable {
    let proxy: ProxySession
    /// The folder to which paths in rules are relative.
    let folder: String
    let journal: ConsoleJournal

    /// The current rules, as the console shows them.
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
                    sentence: rule.sentence,
                    filter: rule.filter == .everything ? "" : rule.filter.description,
                    isEnabled: rule.isEnabled,
                    hits: proxy.sink.tally[rule.name]
                )
            },
            remarks: rules.remarks(in: RuleSurroundings(running.configuration)).map {
                RuleListing.Remark(index: $0.index, text: $0.text)
            },
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

    /// Replaces the rules.
    ///
    /// - Parameters:
    ///   - texts: The rules, each as JSON.
    ///   - revision: The revision that the caller saw; `nil` to replace any.
    /// - Returns: The reason why the change failed; `nil` on success.
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
                "somebody else changed the rules after you loaded them",
                remedy: "load the rules again; your changes stay until you leave the page"
            )
        }
        let enabled = set.enabled.count
        journal.note(.notice, "rules set in the console: \(enabled) of \(set.rules.count) are switched on")
        return nil
    }

    /// Parses rules.
    ///
    /// - Parameters:
    ///   - texts: The rules, each as JSON.
    ///   - saved: The filters to which the rules may refer.
    /// - Returns: The rules, with paths as the process can use them.
    /// - Throws: ``Problem`` with the index of the rule that cannot be read.
    func read(_ texts: [String], _ saved: SavedFilters) throws(Problem) -> RuleSet {
        var rules: [Rule] = []
        let declared = proxy.settings.programs
        for (index, text) in texts.enumerated() {
            do throws(DocumentFailure) {
                rules.append(try Self.rule(text, index, path: "rules[\(index)]", saved, declared))
            } catch {
                var problem = Problem(422, "rule not understood", error.description)
                problem.index = index
                throw problem
            }
        }
        return RuleSet(rules).resolvingPaths { ConfigurationFile.resolve($0, in: folder) }
    }

    /// Parses a rule.
    ///
    /// Such a rule may name programs, but cannot declare any.
    static func rule(
        _ text: String,
        _ index: Int,
        path: String,
        _ saved: SavedFilters,
        _ programs: [ProgramDeclaration]
    ) throws(DocumentFailure) -> Rule {
        let value = try JSONValue(parsing: Array(text.utf8))
        return try Rule(value, number: index + 1, path: path, vocabulary: saved.vocabulary)
            .resolvingProgram(programs, path: path)
    }
}
