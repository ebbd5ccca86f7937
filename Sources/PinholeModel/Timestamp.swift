/// A moment, in microseconds since 1970-01-01T00:00:00Z.
///
/// Machines and engines never read a clock: the time is a parameter. Times in a file can be any number, so arithmetic
/// stops at the first and last moment that can be represented, instead of trapping.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    public var microseconds: Int64

    /// Creates a moment from the microseconds since 1970.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Creates a moment from the seconds since 1970.
    public init(seconds: Int64) {
        microseconds = seconds.multipliedClamped(by: 1_000_000)
    }

    /// Decodes a bare number of microseconds.
    public init(from decoder: any Decoder) throws {
        microseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes a bare number of microseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 {
        microseconds.quotientAndRemainder(flooringBy: 1_000_000).quotient
    }

    /// The moment in UTC to the second, as RFC 3339 writes it: `2026-11-21T03:07:00Z`.
    public var iso8601: String {
        let (days, time) = seconds.quotientAndRemainder(flooringBy: 86400)
        let date = CivilCalendar.date(days: days)
        let clock = [time / 3600, time / 60 % 60, time % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        return
            "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))-\(Self.padded(date.day, 2))T\(clock)Z"
    }

    /// The moment in UTC to the millisecond, as RFC 3339 writes it: `2026-11-21T03:07:00.125Z`.
    public var iso8601Milliseconds: String {
        let milliseconds = microseconds.quotientAndRemainder(flooringBy: 1_000_000).remainder / 1000
        return iso8601.dropLast() + "." + Self.padded(milliseconds, 3) + "Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Whether `left` is before `right`.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Returns the moment `duration` after `moment`.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: moment.microseconds.addingClamped(duration.microseconds))
    }

    /// Returns the moment `duration` before `moment`.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: moment.microseconds.subtractingClamped(duration.microseconds))
    }

    /// Returns the time from `earlier` to `later`.
    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .microseconds(later.microseconds.subtractingClamped(earlier.microseconds))
    }
}

extension Duration {
    /// The whole number of microseconds, rounded toward zero; the greatest or least number if it does not fit.
    public var microseconds: Int64 {
        components.seconds.multipliedClamped(by: 1_000_000)
            .addingClamped(components.attoseconds / 1_000_000_000_000)
    }

    /// The duration for display, in seconds with at most three decimals: `15 s`, `0.3 s`.
    public var secondsText: String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        guard rest != 0 else { return "\(seconds) s" }
        var decimals = String(1000 + abs(rest)).dropFirst()
        while decimals.hasSuffix("0") { decimals.removeLast() }
        return "\(seconds).\(decimals) s"
    }

    /// The whole number of milliseconds, rounded toward zero.
    public var milliseconds: Int64 { microseconds / 1000 }
}

extension Int64 {
    /// Returns the sum; the greatest or least number if it does not fit.
    public func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? (other < 0 ? .min : .max) : sum
    }

    /// Returns the difference; the greatest or least number if it does not fit.
    public func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, isTooLarge) = subtractingReportingOverflow(other)
        return isTooLarge ? (other < 0 ? .max : .min) : difference
    }

    /// Returns the product; the greatest or least number if it does not fit.
    public func multipliedClamped(by other: Int64) -> Int64 {
        let (product, isTooLarge) = multipliedReportingOverflow(by: other)
        return isTooLarge ? ((self < 0) == (other < 0) ? .max : .min) : product
    }

    /// Returns the quotient, rounded down, and the remainder, which is never negative.
    fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
