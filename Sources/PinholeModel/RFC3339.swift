/// Reads moments in the notation of RFC 3339.
package enum RFC3339 {
    /// Reads a moment.
    ///
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
    ///
    /// - Parameters:
    ///   - text: The moment.
    ///   - isStrict: Whether the text must have the form of RFC 3339. Other programs write ISO 8601: without seconds,
    ///     without a zone (UTC is meant), with a comma before the fraction, and offsets such as `+0200` and `+02`.
    /// - Returns: The moment.
    package static func timestamp(_ text: String, isStrict: Bool = true) -> Timestamp? {
        var rest = Array(text.utf8)[...]
        guard let year = number(4, &rest), take("-", &rest), let month = number(2, &rest), take("-", &rest),
            let day = number(2, &rest), CivilCalendar.hasDay(year: year, month: month, day: day),
            take("T", &rest) || take("t", &rest) || take(" ", &rest),
            let hour = number(2, &rest), take(":", &rest), let minute = number(2, &rest),
            hour <= 23, minute <= 59
        else { return nil }
        var (second, micros): (Int64, Int64) = (0, 0)
        if take(":", &rest) {
            guard let whole = number(2, &rest), whole <= 60, let part = fraction(&rest, isStrict) else {
                return nil
            }
            (second, micros) = (whole, part)
        } else if isStrict {
            return nil
        }
        guard let offset = offset(&rest, isStrict), rest.isEmpty else { return nil }
        let seconds =
            CivilCalendar.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60
            + second - offset
        // An offset or a leap second may lead out of the years that certificates can express.
        guard years.contains(seconds) else { return nil }
        return Timestamp(microseconds: seconds * 1_000_000 + micros)
    }

    /// 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z, in seconds since 1970.
    private static let years: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Reads a fraction of a second in microseconds; further digits are dropped.
    private static func fraction(_ rest: inout ArraySlice<UInt8>, _ isStrict: Bool) -> Int64? {
        guard take(".", &rest) || !isStrict && take(",", &rest) else { return 0 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        return (0..<6).reduce(0) { value, place in
            value * 10 + (place < digits.count ? Int64(digits[digits.startIndex + place] - 0x30) : 0)
        }
    }

    /// Reads an offset from UTC, in seconds east of Greenwich.
    private static func offset(_ rest: inout ArraySlice<UInt8>, _ isStrict: Bool) -> Int64? {
        if take("Z", &rest) || take("z", &rest) || !isStrict && rest.isEmpty { return 0 }
        let sign: Int64 = take("+", &rest) ? 1 : take("-", &rest) ? -1 : 0
        guard sign != 0, let hours = number(2, &rest), take(":", &rest) || !isStrict,
            let minutes = number(2, &rest) ?? (isStrict ? nil : 0), hours <= 23, minutes <= 59
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
