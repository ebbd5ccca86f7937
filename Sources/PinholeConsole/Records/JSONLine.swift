import Foundation
import PinholeModel

/// Writes a JSON object on one line, with sorted keys and with invisible characters escaped.
package enum JSONLine {
    /// The line for `value`, without its end.
    package static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return "{}" }
        return JSONText.escaped(String(decoding: data, as: UTF8.self))
    }
}
