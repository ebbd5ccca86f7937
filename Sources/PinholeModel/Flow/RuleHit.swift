/// A rule that acted on an exchange, for the record.
package struct RuleHit: Sendable, Hashable, Codable {
    /// The name of the rule.
    package var rule: String
    /// Its kind, by the word of the configuration.
    package var kind: String
    /// What it did, in a few words.
    package var effect: String

    /// Creates a hit.
    package init(rule: String, kind: String, effect: String) {
        self.rule = rule
        self.kind = kind
        self.effect = effect
    }
}
