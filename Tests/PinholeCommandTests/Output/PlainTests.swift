import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("Plain")
struct PlainTests {
    @Test(
        "writes sizes with a unit",
        arguments: [(0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (1_234_567, "1.2 MB"), (999_999, "1.0 MB")]
    )
    func sizes(_ bytes: Int64, _ expected: String) {
        #expect(Plain.size(bytes) == expected)
    }

    @Test("writes durations with a unit")
    func durations() {
        #expect(Plain.duration(.microseconds(840)) == "0.8 ms")
        #expect(Plain.duration(.milliseconds(123)) == "123 ms")
        #expect(Plain.duration(.milliseconds(4530)) == "4.5 s")
    }

    @Test("shows control characters instead of obeying them")
    func controls() {
        #expect(Plain.printable("a\u{1b}[2Jb\r\u{202e}") == "a\\u{1b}[2Jb\\u{d}\\u{202e}")
        #expect(Plain.printable("bücher – 日本") == "bücher – 日本")
    }
}
