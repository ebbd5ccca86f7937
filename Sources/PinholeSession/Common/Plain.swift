import Glibc
package import PinholeModel

/// Numbers, moments and text of peers in a form for users.
package enum Plain {
    /// Returns the local time of day, `12:34:56`.
    package static func time(_ moment: Timestamp) -> String {
        let parts = local(moment)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    }

    /// Returns the local time of day, after its date if that differs from the date of `now`: `2026-11-21 12:34:56`.
    package static func time(_ moment: Timestamp, at now: Timestamp) -> String {
        let (then, today) = (date(moment), date(now))
        return then == today ? time(moment) : "\(then) \(time(moment))"
    }

    private static func date(_ moment: Timestamp) -> String {
        let parts = local(moment)
        return [Int32(1900) + parts.tm_year, parts.tm_mon + 1, parts.tm_mday]
            .map(twoDigits).joined(separator: "-")
    }

    private static func local(_ moment: Timestamp) -> tm {
        var seconds = time_t(moment.seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Returns a number with its noun: `1 entry`, `2 entries`.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - noun: The noun for one.
    ///   - plural: The noun for several; `nil` for the noun with an “s”.
    /// - Returns: The text.
    package static func count(_ number: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String
    {
        "\(number) \(number == 1 ? noun : plural ?? "\(noun)s")"
    }

    /// Returns a size with its unit: `0 B`, `12.3 KB`.
    package static func size(_ bytes: Int64) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = ""
        for next in ["KB", "MB", "GB", "TB"] where value >= 999.95 {
            value /= 1000
            unit = next
        }
        return "\(tenths(value)) \(unit)"
    }

    /// Returns a duration with its unit: `0.8 ms`, `123 ms`, `4.5 s`.
    package static func duration(_ duration: Duration) -> String {
        let milliseconds = Double(duration.microseconds) / 1000
        if milliseconds < 10 { return "\(tenths(milliseconds)) ms" }
        if milliseconds < 1000 { return "\(Int(milliseconds.rounded())) ms" }
        return "\(tenths(milliseconds / 1000)) s"
    }

    /// Returns `text` in one line, with visible control characters, since a peer may have written the text.
    package static func printable(_ text: String) -> String { TerminalText.line(text) }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
