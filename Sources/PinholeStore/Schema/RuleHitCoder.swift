import Foundation
import PinholeModel

/// The rules that acted on an exchange, as the JSON that lies in the file.
enum RuleHitCoder {
    static func encode(_ hits: [RuleHit]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(hits), as: UTF8.self)
    }

    /// The rules; none where the text is something else.
    static func decode(_ text: String) -> [RuleHit] {
        (try? JSONDecoder().decode([RuleHit].self, from: Data(text.utf8))) ?? []
    }
}
