/// A rule that acted on an exchange, for the record.
package struct RuleHit: Sendable, Hashable, Codable {
    /// The name of the rule.
    package var rule: String
    /// The kind of the rule, by its name in the configuration.
    package var kind: String
    /// The effect of the rule, in a few words.
    package var effect: String

    /// Creates the record of a rule that acted.
    package init(rule: String, kind: String, effect: String) {
        self.rule = rule
        self.kind = kind
        self.effect = effect
    }
}
