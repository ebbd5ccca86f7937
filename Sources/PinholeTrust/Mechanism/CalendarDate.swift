package import PinholeModel

/// Converts dates in the notation of policy documents: `2027-01-31`.
package enum CalendarDate {
    /// Returns the start of a day in UTC.
    ///
    /// TrustKit reads dates in UTC, too. Android uses the time zone of the device, so its pins end up to 14
    /// hours earlier or later. UTC gives a document the same meaning everywhere.
    ///
    /// - Parameters:
    ///   - text: Year, month and day: `yyyy-MM-dd`.
    ///   - allowsShortFields: Whether month and day may have one digit, as Android's SimpleDateFormat allows.
    /// - Returns: The moment; `nil` if there is no such day.
    package static func start(
        of text: some StringProtocol,
        allowsShortFields: Bool = false
    ) -> Timestamp? {
        let fields = text.utf8.split(separator: 0x2d, omittingEmptySubsequences: false)
        let lengths = allowsShortFields ? 1...2 : 2...2
        guard fields.count == 3, fields[0].count == 4, fields.dropFirst().allSatisfy({ lengths ~= $0.count }),
            fields.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let numbers = fields.map { $0.reduce(0) { $0 * 10 + Int64($1 - 0x30) } }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard CivilCalendar.hasDay(year: year, month: month, day: day) else { return nil }
        return Timestamp(seconds: CivilCalendar.days(year: year, month: month, day: day) * 86_400)
    }

    /// Returns the day of a moment in UTC, `2027-01-31`.
    package static func text(_ moment: Timestamp) -> String { String(moment.iso8601.prefix { $0 != "T" }) }
}
