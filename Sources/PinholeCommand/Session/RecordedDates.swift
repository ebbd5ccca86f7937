import PinholeModel
import PinholeStore

/// Moves the dates of a recorded answer, so that it is as old as it was when it was recorded.
///
/// A login whose cookie ran out an hour later would else be thrown away by every client on the day after.
struct RecordedDates {
    private let shift: Duration

    /// Moves dates as far as the answer lies back.
    ///
    /// - Parameters:
    ///   - recorded: When the answer was recorded.
    ///   - now: When it is given again.
    init(recorded: Timestamp, now: Timestamp) { shift = now - recorded }

    /// The value of a field with its dates moved; what is no date stays as it is.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: What was recorded.
    /// - Returns: What is given.
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

    /// A cookie with its attribute Expires moved (RFC 6265 §4.1.1); all else stays byte for byte.
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
