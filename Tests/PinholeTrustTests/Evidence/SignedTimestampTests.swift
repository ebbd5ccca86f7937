import PinholeModel
import PinholeTrust
import Testing

@Suite("SignedTimestamp")
struct SignedTimestampTests {
    /// One of version 1: log, milliseconds, no extensions, an algorithm and a signature of four bytes.
    private static func entry(
        version: UInt8 = 0,
        log: UInt8 = 7,
        milliseconds: UInt64 = 1_795_262_400_125
    ) -> [UInt8] {
        let time = (0..<8).map { UInt8(truncatingIfNeeded: milliseconds >> (56 - 8 * UInt64($0))) }
        return [version] + [UInt8](repeating: log, count: 32) + time + [0, 0] + [4, 3] + [0, 4, 1, 2, 3, 4]
    }

    private static func prefixed(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes
    }

    @Test("reads logs and times")
    func list() throws {
        let entries = [Self.entry(), Self.entry(log: 9, milliseconds: 0)]
        let found = try #require(SignedTimestamp.list(Self.prefixed(entries.flatMap(Self.prefixed))))
        #expect(found.map(\.log) == [7, 9].map { [UInt8](repeating: $0, count: 32) })
        #expect(
            found.map(\.time.iso8601Milliseconds) == ["2026-11-21T12:00:00.125Z", "1970-01-01T00:00:00.000Z"]
        )
    }

    @Test("passes over other versions")
    func versions() throws {
        let entries = [Self.entry(version: 1), Self.entry()]
        #expect(SignedTimestamp.list(Self.prefixed(entries.flatMap(Self.prefixed)))?.count == 1)
    }

    @Test("refuses each cut, and bytes behind")
    func cuts() {
        let whole = Self.prefixed(Self.prefixed(Self.entry()))
        for count in 0..<whole.count { #expect(SignedTimestamp.list(Array(whole.prefix(count))) == nil) }
        #expect(SignedTimestamp.list(whole + [0]) == nil)
        #expect(SignedTimestamp.list(Self.prefixed(Self.prefixed(Self.entry(milliseconds: .max)))) == nil)
        #expect(SignedTimestamp.list([0, 0]) == [])
    }
}
