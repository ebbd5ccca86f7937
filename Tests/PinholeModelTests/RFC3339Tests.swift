import Testing

@testable import PinholeModel

@Suite("RFC3339")
struct RFC3339Tests {
    @Test(
        "reads moments",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-21T12:00:00Z", 1_795_262_400_000_000),
            ("2026-11-21T14:00:00+02:00", 1_795_262_400_000_000),
            ("2026-11-21t12:00:00.125z", 1_795_262_400_125_000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000_000), ("1969-12-31T23:59:59Z", -1_000_000),
            ("2026-11-21 12:00:00.1234567Z", 1_795_262_400_123_456),
        ]
    )
    func reads(text: String, microseconds: Int64) {
        #expect(RFC3339.timestamp(text)?.microseconds == microseconds)
    }

    @Test(
        "writes the same as Timestamp",
        arguments: Array(stride(from: Int64(-5_000_000_000), to: 9_000_000_000, by: 86_399_971))
    )
    func roundTrip(seconds: Int64) {
        let moment = Timestamp(seconds: seconds)
        #expect(RFC3339.timestamp(moment.iso8601) == moment)
    }

    @Test(
        "refuses others",
        arguments: [
            "", "2026-11-21", "2026-11-21T12:00Z", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
            "2026-11-21T24:00:00Z", "2026-11-21T12:00:00", "2026-11-21T12:00:00.Z", "2026-11-21T12:00:00Zx",
            "2026-11-21T12:00:00+2", "+026-11-21T12:00:00Z", "9999-12-31T23:59:60Z",
            "9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01",
        ]
    )
    func refuses(text: String) {
        #expect(RFC3339.timestamp(text) == nil)
    }

    @Test(
        "reads the ISO 8601 of other programs if asked to",
        arguments: [
            ("2026-11-21T12:00", 0), ("2026-11-21 12:00:00", 0), ("2026-11-21T12:00:00,5Z", 500_000),
            ("2026-11-21T14:00:00+0200", 0), ("2026-11-21T14:00+02", 0),
        ]
    )
    func readsOthers(text: String, microseconds: Int64) {
        #expect(
            RFC3339.timestamp(text, isStrict: false)?.microseconds == 1_795_262_400_000_000 + microseconds
        )
        #expect(RFC3339.timestamp(text) == nil)
    }

    @Test("the years that certificates know, to their last second")
    func ends() {
        #expect(RFC3339.timestamp("9999-12-31T23:59:59.9Z")?.seconds == 253_402_300_799)
        #expect(RFC3339.timestamp("0000-01-01T00:00:00Z")?.seconds == -62_167_219_200)
    }

    @Test("a day is its first moment, where a day is enough")
    func day() throws {
        #expect(try RFC3339.readDay("2026-11-21") == RFC3339.read("2026-11-21T00:00:00Z"))
        #expect(throws: AddressFailure.self) { try RFC3339.readDay("2026-02-30") }
        #expect(throws: AddressFailure.self) { try RFC3339.readDay("tomorrow..") }
    }
}
