/// Dates in the notation of fields and cookies (RFC 9110 §5.6.7).
package enum HTTPDate {
    /// The names of the months.
    package static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// Writes `Wed, 09 Jun 2021 10:18:14 GMT`.
    ///
    /// - Parameter moment: A moment from 1970 to the end of 9999; fractions of a second are left out.
    /// - Returns: The text; `nil` for another moment.
    package static func text(_ moment: Timestamp) -> String? {
        guard moment.microseconds >= 0 else { return nil }
        let days = moment.seconds / 86_400
        let (year, month, day) = CivilCalendar.date(days: days)
        guard year <= 9999, months.indices.contains(Int(month) - 1) else { return nil }
        let (clock, yearText) = (moment.iso8601.suffix(9).dropLast(), moment.iso8601.prefix(4))
        let date = "\(day < 10 ? "0" : "")\(day) \(months[Int(month) - 1]) \(yearText)"
        return "\(weekday(days: days)), \(date) \(clock) GMT"
    }

    /// Returns the name of the weekday that is `days` after 1970-01-01.
    package static func weekday(days: Int64) -> String { weekdays[Int((days % 7 + 7) % 7)] }

    /// Reads `Wed, 09 Jun 2021 10:18:14 GMT` and its older spellings, as leniently as RFC 6265 §5.1.1 asks for.
    ///
    /// - Parameter text: The date.
    /// - Returns: The moment; `nil` if the text is not a date, if the day does not exist, or if there is more than one
    ///   date in GMT.
    package static func parse(_ text: String) -> Timestamp? {
        var day: Int64?
        var month: Int64?
        var year: Int64?
        var clock: [Int64]?
        for token in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != ":" }) {
            if token.contains(":") {
                let parts = token.split(separator: ":").compactMap { Int64($0) }
                guard clock == nil, parts.count == 3, parts[0] < 24, parts[1] < 60, parts[2] < 60 else {
                    return nil
                }
                clock = parts
            } else if let number = Int64(token) {
                if day == nil, token.count <= 2 {
                    day = number
                } else if year == nil {
                    year = number
                } else if number != 0 {
                    // The number belongs to a zone or to another date.
                    return nil
                }
            } else if month == nil {
                month = months.firstIndex { $0.lowercased() == token.prefix(3).lowercased() }.map {
                    Int64($0) + 1
                }
            }
        }
        guard let day, let month, var year, let clock, (0...9999).contains(year)
        else { return nil }
        if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
        guard year >= 1601, CivilCalendar.hasDay(year: year, month: month, day: day) else { return nil }
        let days = CivilCalendar.days(year: year, month: month, day: day)
        return Timestamp(seconds: days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
    }
}
