import PinholeModel

/// The notation of numbers in filters.
package enum Quantity {
    /// Parses a size such as `1.5MB`; `nil` if the text is none.
    package static func bytes(_ text: String) -> Int64? { parse(text, .bytes) }

    private static let sizes: [(name: String, value: Int64)] = [
        ("b", 1), ("kb", 1000), ("mb", 1_000_000), ("gb", 1_000_000_000), ("kib", 1 << 10), ("mib", 1 << 20),
        ("gib", 1 << 30),
    ]
    private static let durations: [(name: String, value: Int64)] = [
        ("us", 1), ("ms", 1000), ("s", 1_000_000), ("min", 60_000_000), ("h", 3_600_000_000),
    ]

    /// Returns the expectation for a message about a missing or wrong number.
    static func expected(_ unit: FieldUnit) -> String {
        switch unit {
        case .count: "a whole number"
        case .status: "a status such as 404, 4xx or 400-499"
        case .bytes: "a size such as 500, 10kB, 1.5MB or 1MiB"
        case .duration: "a time such as 250ms, 1.5s, 2min or 1h"
        case .moment: "a moment such as 2026-01-31 or 2026-01-31T12:00:00Z"
        }
    }

    /// Parses a number of `unit`; `nil` if the text is no such number.
    static func parse(_ text: String, _ unit: FieldUnit) -> Int64? {
        switch unit {
        case .count, .status: whole(text)
        case .bytes: whole(text) ?? scaled(text, sizes)
        case .duration: scaled(text, durations)
        case .moment: RFC3339.dayOrMoment(text).flatMap { $0.microseconds < 0 ? nil : $0.microseconds }
        }
    }

    /// Returns the shortest notation of `value` that is exact.
    static func text(_ value: Int64, _ unit: FieldUnit) -> String {
        switch unit {
        case .count, .status: return String(value)
        case .bytes:
            return [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)].first { isMultiple(value, $0.1) }
                .map { "\(value / $0.1)\($0.0)" } ?? String(value)
        case .duration:
            return durations.last { isMultiple(value, $0.value) }.map { "\(value / $0.value)\($0.name)" }
                ?? "\(value)us"
        case .moment:
            let moment = Timestamp(microseconds: value)
            let rest = value - moment.seconds * 1_000_000
            guard rest != 0 else { return moment.iso8601 }
            return "\(moment.iso8601.dropLast()).\(String(1_000_000 + rest).dropFirst())Z"
        }
    }

    private static func isMultiple(_ value: Int64, _ unit: Int64) -> Bool { value != 0 && value % unit == 0 }

    private static func whole(_ text: some StringProtocol) -> Int64? {
        // `Int64` alone would accept a sign.
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// Parses a decimal number with a unit.
    private static func scaled(_ text: String, _ units: [(name: String, value: Int64)]) -> Int64? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let name = text.dropFirst(number.count).lowercased()
        guard let unit = units.first(where: { $0.name == name })?.value else { return nil }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = whole(parts[0]) else { return nil }
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        guard parts.count == 2 else { return product }
        guard parts[1].utf8.count <= 9, let fraction = Self.whole(parts[1]) else { return nil }
        let scale = (0..<parts[1].utf8.count).reduce(Int64(1)) { scale, _ in scale * 10 }
        // Nine digits of an hour's microseconds are 3.6e18, which is less than an Int64 holds.
        let (sum, tooLarge) = product.addingReportingOverflow(fraction * unit / scale)
        return tooLarge ? nil : sum
    }
}
