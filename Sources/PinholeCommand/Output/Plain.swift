import Glibc
import PinholeModel

/// Numbers, moments and foreign text as people read them.
enum Plain {
    /// The local time of day, `12:34:56`.
    static func time(_ moment: Timestamp) -> String {
        let parts = local(moment)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    }

    /// The local time of day, and the date before it where that is another than at `now`: `2026-11-21 12:34:56`.
    static func time(_ moment: Timestamp, at now: Timestamp) -> String {
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

    /// Bytes with a unit: `0 B`, `12.3 KB`.
    static func size(_ bytes: Int64) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = ""
        for next in ["KB", "MB", "GB", "TB"] where value >= 999.95 {
            value /= 1000
            unit = next
        }
        return "\(tenths(value)) \(unit)"
    }

    /// A duration with a unit: `0.8 ms`, `123 ms`, `4.5 s`.
    static func duration(_ duration: Duration) -> String {
        let milliseconds = Double(duration.microseconds) / 1000
        if milliseconds < 10 { return "\(tenths(milliseconds)) ms" }
        if milliseconds < 1000 { return "\(Int(milliseconds.rounded())) ms" }
        return "\(tenths(milliseconds / 1000)) s"
    }

    /// `text` in one line for a terminal; a peer may have written it, so control characters are made visible.
    static func printable(_ text: String) -> String { TerminalText.line(text) }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
