import PinholeFilter
import PinholeModel
import PinholeRules

/// The actions on the rules of a proxy.
package protocol RuleControl: Sendable {
    /// Returns the current rules.
    func rules() async throws(Problem) -> RuleListing

    /// Returns the kinds of rules with their keys.
    func ruleForms() async throws(Problem) -> RuleForms

    /// Replaces the rules by these, each as JSON, unless they changed since the revision; `nil` to replace any.
    func replaceRules(with texts: [String], revision: Int?) async throws(Problem)

    /// Reads a rule in the place of the one with an index, or behind all others, without a change of the rules.
    func checkRule(_ text: String, at index: Int?) async throws(Problem) -> Result<RuleReading, RuleMistake>
}

extension SessionControl {
    var throttling: [RuleListing.Entry] { rules().throttling }

    func rules() -> RuleListing {
        let running = proxy.running
        return RuleListing(running.configuration, revision: running.revision) { proxy.sink.tally[$0] }
    }

    func ruleForms() -> RuleForms { .all }

    func replaceRules(with texts: [String], revision: Int?) throws(Problem) {
        let saved = proxy.settings.filters
        let set = try read(texts, saved)
        guard proxy.use(set, texts, saved, revision: revision) else {
            throw Problem(
                409,
                "changed meanwhile",
                "somebody else changed the rules after you loaded them",
                remedy: "load the rules again; your changes stay until you leave the page"
            )
        }
        let enabled = set.enabled.count
        journal.note(.notice, "rules set in the console: \(enabled) of \(set.rules.count) are switched on")
    }

    func checkRule(_ text: String, at index: Int?) -> Result<RuleReading, RuleMistake> {
        let configuration = proxy.settings
        let rules = configuration.rules.rules
        let place = index.flatMap { rules.indices.contains($0) ? $0 : nil } ?? rules.count
        let path = "rule"
        do throws(DocumentFailure) {
            let rule = try Self.rule(text, place, path: path, configuration.filters, configuration.programs)
            return .success(RuleReading(rule, at: place, of: rules, in: RuleSurroundings(configuration)))
        } catch {
            let isInside = error.path.hasPrefix("\(path).")
            let message = error.description.dropFirst(
                isInside || error.path == path ? error.path.count + 2 : 0
            )
            return .failure(
                RuleMistake(
                    place: isInside ? String(error.path.dropFirst(path.count + 1)) : "",
                    message: String(message)
                )
            )
        }
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
        let folder = ConfigurationFile(named: file).folder
        return RuleSet(rules).resolvingPaths { ConfigurationFile.resolve($0, in: folder) }
    }

    /// Parses a rule.
    ///
    /// Such a rule may name programs, but cannot declare any.
    private static func rule(
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

extension RemoteControl {
    func rules() async throws(Problem) -> RuleListing { try await api.answer("GET", "/api/rules") }

    func ruleForms() async throws(Problem) -> RuleForms { try await api.answer("GET", "/api/rules/kinds") }

    func replaceRules(with texts: [String], revision: Int?) async throws(Problem) {
        try await api.ask("PUT", "/api/rules", RulesOrder(rules: texts, revision: revision))
    }

    func checkRule(_ text: String, at index: Int?) async throws(Problem) -> Result<RuleReading, RuleMistake> {
        let content = try await api.ask("POST", "/api/rules/check", RuleOrder(rule: text, index: index))
        if let mistaken: MistakenRule = try? api.decoded(content) { return .failure(mistaken.mistake) }
        return .success(try api.decoded(content))
    }
}

extension RuleListing {
    /// Creates a listing of the current rules.
    ///
    /// - Parameters:
    ///   - configuration: The configuration with the rules; rules without a text are not listed.
    ///   - revision: The revision of the rules.
    ///   - hits: Returns the number of exchanges that the rule of a name has acted on.
    package init(
        _ configuration: Configuration,
        revision: Int,
        hits: (String) -> Int
    ) {
        let set = configuration.rules
        self.init(
            revision: revision,
            rules: zip(set.rules, configuration.ruleTexts).map { rule, text in
                Entry(
                    text: text,
                    name: rule.name,
                    kind: rule.action.kind.rawValue,
                    summary: rule.action.kind.summary,
                    sentence: rule.sentence,
                    filter: rule.filterText,
                    isEnabled: rule.isEnabled,
                    hits: hits(rule.name)
                )
            },
            remarks: set.remarks(in: RuleSurroundings(configuration)).map {
                Remark(index: $0.index, text: $0.text)
            },
            presets: ThrottlePreset.allCases.map { preset in
                let throttling = preset.throttling
                return Preset(
                    name: preset.rawValue,
                    downKilobits: (throttling.down ?? 0) / 1000,
                    upKilobits: (throttling.up ?? 0) / 1000,
                    latencyMilliseconds: throttling.latency.milliseconds
                )
            },
            programs: configuration.programs.map(\.name)
        )
    }
}
