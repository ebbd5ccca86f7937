import PinholeModel

/// Moves the dates of a recorded answer, so that the answer has the same age as when it was recorded.
///
/// Otherwise, a day later every client would drop a login cookie that expires after an hour.
struct RecordedDates {
    private let shift: Duration

    /// Creates a shift by the time since the answer was recorded.
    ///
    /// - Parameters:
    ///   - recorded: The time at which the answer was recorded.
    ///   - now: The time at which the answer is given again.
    init(recorded: Timestamp, now: Timestamp) { shift = now - recorded }

    /// Returns the value of a field with its dates moved; other values stay the same.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The recorded value.
    /// - Returns: The new value.
    func value(of name: String, _ value: String) -> String {
        switch name.lowercased() {
        case "date", "expires", "last-modified": moved(value) ?? value
        case "set-cookie": cookie(value)
        default: value
        }
    }

    private func moved(_ text: String) -> String? {
        HTTPDate.parse(text).flatMap { HTTPDate.text($0 + shift) }
    }

    /// Returns a cookie with its attribute Expires moved (RFC 6265 §4.1.1); all other bytes stay the same.
    private func cookie(_ text: String) -> String {
        var parts = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            let pair = parts[index].split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingPrefix(while: { $0 == " " }).lowercased() == "expires",
                let moved = moved(String(pair[1]))
            else { continue }
            let quote = pair[1].hasPrefix("\"") && pair[1].hasSuffix("\"") ? "\"" : ""
            parts[index] = "\(pair[0])=\(quote)\(moved)\(quote)"
        }
        return parts.joined(separator: ";")
    }
}
