import PinholeModel

/// Moments as text (ISO 8601, RFC 3339), in UTC with its offset.
enum ISO8601 {
    /// Returns a moment as `2026-01-02T03:04:05.678901+00:00`.
    static func text(_ moment: Timestamp) -> String {
        let seconds = moment.seconds
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let second = seconds - days * 86_400
        let (year, month, day) = CivilCalendar.date(days: days)
        let rest = moment.microseconds % 1_000_000
        let fraction = digits(rest < 0 ? rest + 1_000_000 : rest, 6)
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(clock(second)).\(fraction)+00:00"
    }

    /// Returns the time of a day, `03:04:05`, from its seconds.
    static func clock(_ second: Int64) -> String {
        [second / 3600, second / 60 % 60, second % 60].map { digits($0, 2) }.joined(separator: ":")
    }

    /// Returns a number with leading zeros.
    static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
}

extension ISO8601 {
    /// Reads a moment from 1970 on in the notation of other programs.
    static func parse(_ text: String) -> Timestamp? {
        guard text >= "1970" else { return nil }
        return RFC3339.timestamp(text, isStrict: false)
    }
}
