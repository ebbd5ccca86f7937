import PinholeModel

/// A moment as users write it: a time before now, or a date.
struct Moment: Equatable {
    /// The moment as a timestamp.
    let timestamp: Timestamp

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

    /// Parses `90s`, `10m`, `2h`, `3d` (before `now`), or a day or moment of RFC 3339.
    init(_ text: String, now: Timestamp) throws(AddressFailure) {
        if let unit = text.last.flatMap({ Self.units[$0] }), let count = Int64(text.dropLast()),
            (0...1_000_000).contains(count)
        {
            timestamp = now - .seconds(count * unit)
        } else if let moment = RFC3339.dayOrMoment(text) {
            timestamp = moment
        } else {
            throw AddressFailure(text, expected: "90s, 10m, 2h, 3d, 2026-01-31 or 2026-01-31T12:00:00Z")
        }
    }
}
