import PinholeModel

/// Writes a JSON object on one line, with sorted members and with invisible characters escaped.
package enum JSONLine {
    /// Returns the line for `value`, without its line break.
    package static func text(_ value: some Encodable) -> String {
        (try? JSONText.encoding(value, isSorted: true)) ?? "{}"
    }
}
