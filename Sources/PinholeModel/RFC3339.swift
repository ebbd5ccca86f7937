/// Reads moments in the notation of RFC 3339.
package enum RFC3339 {
    /// Reads a moment.
    ///
    /// - Parameter text: The moment.
    /// - Returns: The moment as a number.
    /// - Throws: `AddressFailure` with the expected notation.
    package static func read(_ text: String) throws(AddressFailure) -> Timestamp {
        guard let time = timestamp(text) else {
            throw AddressFailure(
                text,
                expected: "a moment such as 2026-01-31T12:00:00Z, of the years 0000 to 9999"
            )
        }
        return time
    }

    /// Reads a moment or a day; a day is read as its first moment in UTC.
    package static func readDay(_ text: String) throws(AddressFailure) -> Timestamp {
        if let time = dayOrMoment(text) { return time }
        return try read(text)
    }

    /// Returns the moment of `text`, or the first moment of a day in UTC; `nil` if the text is neither.
    package static func dayOrMoment(_ text: String) -> Timestamp? {
        timestamp(text.utf8.count == 10 ? "\(text)T00:00:00Z" : text)
    }

    /// Returns the moment of `text`, `2026-01-31T12:00:00Z`, also with a fraction or an offset; `nil` if it is none.
    package static func timestamp(_ text: String) -> Timestamp? {
        var rest = Array(text.utf8)[...]
        guard let year = number(4, &rest), take("-", &rest), let month = number(2, &rest), take("-", &rest),
            let day = number(2, &rest), take("T", &rest) || take("t", &rest) || take(" ", &rest),
            let hour = number(2, &rest), take(":", &rest), let minute = number(2, &rest), take(":", &rest),
            let second = number(2, &rest), (1...12).contains(month), (1...length(month, year)).contains(day),
            hour <= 23, minute <= 59, second <= 60, let micros = fraction(&rest), let offset = offset(&rest),
            rest.isEmpty
        else { return nil }
        let seconds =
            CivilCalendar.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60
            + second - offset
        // An offset or a leap second may lead out of the years that certificates can express.
        guard years.contains(seconds) else { return nil }
        return Timestamp(microseconds: seconds * 1_000_000 + micros)
    }

    /// 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z, in seconds since 1970.
    private static let years: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    private static func length(_ month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Reads a fraction of a second in microseconds; further digits are dropped.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard take(".", &rest) else { return 0 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        return (0..<6).reduce(0) { value, place in
            value * 10 + (place < digits.count ? Int64(digits[digits.startIndex + place] - 0x30) : 0)
        }
    }

    /// Reads an offset from UTC, in seconds east of Greenwich.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        if take("Z", &rest) || take("z", &rest) { return 0 }
        let sign: Int64 = take("+", &rest) ? 1 : take("-", &rest) ? -1 : 0
        guard sign != 0, let hours = number(2, &rest), take(":", &rest), let minutes = number(2, &rest),
            hours <= 23, minutes <= 59
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private static func number(_ digits: Int, _ rest: inout ArraySlice<UInt8>) -> Int64? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func take(_ mark: Character, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let first = rest.first, first == mark.asciiValue else { return false }
        rest = rest.dropFirst()
        return true
    }
}
