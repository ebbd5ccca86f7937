import Testing

@testable import PinholeWire

@Suite("ByteRanges")
struct ByteRangesTests {
    @Test(
        "finds the part that a field asks for",
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=10-19", 10..<20), ("bytes=95-", 95..<100), ("bytes=0-", 0..<100),
            ("bytes=-5", 95..<100), ("bytes=-200", 0..<100), ("bytes=90-500", 90..<100), ("Bytes=1-2", 1..<3),
            ("bytes= 1-2 ,", 1..<3), ("bytes=0-99999999999999999999", 0..<100),
            ("bytes=-99999999999999999999", 0..<100),
            // Parts that overlap or touch are one; parts beyond the end are dropped.
            ("bytes=0-4,5-9", 0..<10), ("bytes=5-9, 0-7", 0..<10), ("bytes=0-1,200-300", 0..<2),
        ]
    )
    func parts(_ field: String, _ range: Range<Int>) {
        #expect(ByteRanges([field], length: 100) == .part(range))
    }

    @Test(
        "a part beyond the end is unsatisfiable",
        arguments: [
            ("bytes=100-", 100), ("bytes=100-200", 100), ("bytes=-0", 100), ("bytes=100-,200-", 100),
            ("bytes=0-", 0), ("bytes=0-0", 0), ("bytes=99999999999999999999-", 100),
        ]
    )
    func unsatisfiable(_ field: String, _ length: Int) {
        #expect(ByteRanges([field], length: length) == .unsatisfiable)
    }

    @Test(
        "other units, several parts and fields that cannot be read are ignored",
        arguments: [
            "lines=0-4", "bytes", "bytes=", "bytes=,", "bytes=5-4", "bytes=a-b", "bytes=1-2-3", "bytes=-",
            "bytes=--5",
            "bytes=+1-2", "bytes=0x1-2", "bytes=1", "bytes 1-2", "bytes=0-1,8-9", "bytes=0-1,x", "bytes=١-٢",
            "",
            "bytes=" + (0..<101).map { "\($0)-\($0)" }.joined(separator: ","),
        ]
    )
    func ignored(_ field: String) {
        #expect(ByteRanges([field], length: 100) == .whole)
    }

    @Test("two fields are ignored, and so is a suffix of nothing")
    func whole() {
        #expect(ByteRanges([], length: 100) == .whole)
        #expect(ByteRanges(["bytes=0-1", "bytes=0-1"], length: 100) == .whole)
        #expect(ByteRanges(["bytes=-5"], length: 0) == .whole)
    }
}
