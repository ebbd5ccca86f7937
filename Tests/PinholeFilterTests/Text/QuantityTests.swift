import PinholeModel
import Testing

@testable import PinholeFilter

@Suite("Quantities")
struct QuantityTests {
    @Test(
        "are read with their units",
        arguments: [
            ("0", FieldUnit.count, 0), ("12", .bytes, 12), ("1.5kb", .bytes, 1500),
            ("1MiB", .bytes, 1 << 20),
            ("2GB", .bytes, 2_000_000_000), ("10us", .duration, 10), ("0.5ms", .duration, 500),
            ("90s", .duration, 90_000_000),
            ("2MIN", .duration, 120_000_000), ("1970-01-02", .moment, 86_400_000_000),
            ("2024-02-29T14:00:00+02:00", .moment, 1_709_208_000_000_000),
            ("2001-09-09T01:46:40.000001Z", .moment, 1_000_000_000_000_001),
        ] as [(String, FieldUnit, Int64)]
    )
    func reading(_ text: String, _ unit: FieldUnit, _ value: Int64) {
        #expect(Quantity.parse(text, unit) == value)
        #expect(Quantity.parse(Quantity.text(value, unit), unit) == value)
    }

    @Test(
        "invalid values are refused",
        arguments: [
            ("", FieldUnit.count), ("-1", .count), ("+1", .count), ("1.5", .count),
            ("99999999999999999999", .count),
            ("1.5", .bytes), ("1.MB", .bytes), ("1e3", .bytes), ("9999999999GB", .bytes), ("5", .duration),
            ("s", .duration),
            ("1.2.3s", .duration), ("1.0000000001s", .duration), ("2023-02-29", .moment),
            ("2024-13-01", .moment), ("1969-01-01", .moment),
            ("2024-01-01T24:00:00Z", .moment), ("2024-01-01T12:00:00", .moment), ("2024-01-01T12Z", .moment),
            ("2024-01-01T12:00Z", .moment),
            ("2024-01-01T12:00:00.Z", .moment), ("2024-01-01T1:2:3.1234567Z", .moment), ("T", .moment),
        ]
    )
    func refused(_ text: String, _ unit: FieldUnit) {
        #expect(Quantity.parse(text, unit) == nil)
    }
}
