import PinholeFilter
package import PinholeModel
package import PinholeRules

/// The rules that a proxy runs with, as the page of rules shows them.
package struct RuleListing: Sendable, Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("revision", "Grows with every change."),
        FieldJSON("rules", "In the order in which the proxy tries them."),
        FieldJSON("remarks", "The remarks of pinhole rules check."),
        FieldJSON("presets", "Connections that throttle rules can imitate."),
        FieldJSON("programs", "The programs that askProgram rules may name."),
    ]

    /// A rule.
    package struct Entry: Sendable, Codable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described: [FieldJSON] = [
            FieldJSON("text", "The rule as JSON, as docs/RULES.md describes it."),
            FieldJSON("sentence", "The effect of the rule in plain words, without credentials."),
            FieldJSON("filter", "Empty for everything."),
            FieldJSON("hits", "The number of exchanges on which it acted since the proxy began."),
        ]

        /// The text of the rule, in JSON.
        package let text: String
        /// The name of the rule.
        package let name: String
        /// The kind by its name in the configuration.
        package let kind: String
        /// A short description of the kind.
        let summary: String
        /// The effect of the rule, in a sentence.
        let sentence: String
        /// The filter of the rule; empty for all exchanges.
        package let filter: String
        /// Whether the rule is switched on.
        package let isEnabled: Bool
        /// The number of exchanges that the rule has acted on since the proxy started.
        package let hits: Int
    }

    /// A remark on a rule that is valid, but probably not what the user meant.
    struct Remark: Sendable, Codable {
        /// The index of the rule, from 0.
        let index: Int
        let text: String
    }

    /// A connection that `throttle` rules can imitate by its name.
    struct Preset: Sendable, Codable {
        let name: String
        let downKilobits: Int64
        let upKilobits: Int64
        let latencyMilliseconds: Int64
    }

    /// The revision, which grows with every change; a request to replace the rules names the revision that it saw.
    package let revision: Int
    /// The rules, in the order in which the proxy tries them.
    package let rules: [Entry]
    let remarks: [Remark]
    var presets: [Preset] = []
    /// The names of the declared programs, to which `askProgram` rules may refer.
    var programs: [String] = []

    /// The rules that slow traffic.
    package var throttling: [Entry] { rules.filter { $0.isEnabled && $0.kind == "throttle" } }
}

/// The meaning of a rule that somebody is writing.
package struct RuleReading: Sendable, Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("sentence", "The effect of the rule in plain words."),
        FieldJSON("filter", "Empty for everything."),
    ]

    /// The effect of the rule, in a sentence.
    package let sentence: String
    /// The filter of the rule; empty for all exchanges.
    let filter: String
    /// Remarks on the rule at its place among the others.
    package let remarks: [String]
}

extension RuleReading {
    /// Reads a rule at its place among the others.
    ///
    /// - Parameters:
    ///   - rule: The rule.
    ///   - place: The index of the rule that it replaces, or the number of the others.
    ///   - others: The current rules.
    ///   - surroundings: The settings of the proxy that remarks on rules depend on.
    package init(_ rule: Rule, at place: Int, of others: [Rule], in surroundings: RuleSurroundings) {
        var rules = others
        if place == rules.count { rules.append(rule) } else { rules[place] = rule }
        let remarks = RuleSet(rules).remarks(in: surroundings).filter { $0.index == place }
        self.init(
            sentence: rule.sentence,
            filter: rule.filterText,
            remarks: rule.filter.remarks + remarks.map(\.text)
        )
    }
}

/// The mistake in a rule that somebody is writing.
package struct RuleMistake: Error, Sendable, Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("place", "The path in the rule, such as fields[1]; empty for the whole rule.")
    ]

    /// The path in the rule, such as `fields[1]`; empty for the whole rule.
    package let place: String
    /// The mistake, in a sentence.
    package let message: String
}

extension Rule {
    /// The filter as text; empty for all exchanges.
    var filterText: String { filter == .everything ? "" : filter.description }
}
