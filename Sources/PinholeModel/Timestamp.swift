/// A moment, in microseconds since 1970-01-01T00:00:00Z.
///
/// Machines and engines never read a clock: a time is handed to them.
package struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    package var microseconds: Int64

    /// Creates the moment that many microseconds after 1970.
    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Creates the moment that many seconds after 1970.
    package init(seconds: Int64) {
        microseconds = seconds * 1_000_000
    }

    /// Decodes a bare number of microseconds.
    package init(from decoder: any Decoder) throws {
        microseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes a bare number of microseconds.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }

    /// Whole seconds since 1970, rounded down.
    package var seconds: Int64 {
        microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
    }

    /// Whether `left` is before `right`.
    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The moment `duration` after `moment`.
    package static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: moment.microseconds + duration.microseconds)
    }

    /// The moment `duration` before `moment`.
    package static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(microseconds: moment.microseconds - duration.microseconds)
    }

    /// The time from `earlier` to `later`.
    package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .microseconds(later.microseconds - earlier.microseconds)
    }
}

extension Duration {
    /// The whole number of microseconds, rounded toward zero.
    package var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }

    /// The whole number of milliseconds, rounded toward zero.
    package var milliseconds: Int64 { microseconds / 1000 }
}
