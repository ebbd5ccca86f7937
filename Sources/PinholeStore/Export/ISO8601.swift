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
    /// Reads a moment in the notation of other programs.
    ///
    /// Seconds, fraction and zone may be missing; without a zone, UTC is meant. The separator is `T` or a space, and
    /// offsets are `+02:00` or `+0200`.
    static func parse(_ text: String) -> Timestamp? {
        var rest = Array(text.utf8)[...]
        guard let year = number(&rest, 4), take(&rest, 0x2d), let month = number(&rest, 2), take(&rest, 0x2d),
            let day = number(&rest, 2), CivilCalendar.hasDay(year: year, month: month, day: day),
            take(&rest, 0x54) || take(&rest, 0x74) || take(&rest, 0x20),
            let hour = number(&rest, 2), take(&rest, 0x3a), let minute = number(&rest, 2),
            hour < 24, minute < 60
        else { return nil }
        var second: Int64 = 0
        var fraction: Int64 = 0
        if take(&rest, 0x3a) {
            guard let whole = number(&rest, 2), whole <= 60 else { return nil }
            second = whole
            if take(&rest, 0x2e) || take(&rest, 0x2c) {
                let digits = rest.prefix { (0x30...0x39).contains($0) }
                guard !digits.isEmpty else { return nil }
                rest = rest.dropFirst(digits.count)
                fraction = (0..<6).reduce(0) { sum, index in
                    sum * 10
                        + (index < digits.count ? Int64(digits[digits.startIndex + index]) - 0x30 : 0)
                }
            }
        }
        guard let zone = offset(&rest), rest.isEmpty else { return nil }
        let days = CivilCalendar.days(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - zone
        return Timestamp(microseconds: seconds * 1_000_000 + fraction)
    }

    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        if rest.isEmpty || take(&rest, 0x5a) || take(&rest, 0x7a) { return 0 }
        let isWest = take(&rest, 0x2d)
        guard isWest || take(&rest, 0x2b), let hours = number(&rest, 2) else { return nil }
        _ = take(&rest, 0x3a)
        let minutes = number(&rest, 2) ?? 0
        guard hours < 24, minutes < 60 else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1) - 0x30 }
    }

    private static func take(_ rest: inout ArraySlice<UInt8>, _ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }
}
