import PinholeModel

/// Converts the rules that acted on an exchange to JSON for the file, and back.
enum RuleHitCoder {
    static func encode(_ hits: [RuleHit]) throws -> String { try JSONText.encoding(hits) }

    /// Returns the rules; empty if the text is not such JSON.
    static func decode(_ text: String) -> [RuleHit] {
        (try? JSONValue(parsing: Array(text.utf8)).decoded(as: [RuleHit].self)) ?? []
    }
}
