import Testing

@testable import PinholeCommand

@Suite("ProgressLine")
struct ProgressLineTests {
    @Test("shows a bar, the percentage, the rest of the time and the work, in one line")
    func line() {
        let bar = String(repeating: "█", count: 5) + String(repeating: "░", count: 15)
        let line = ProgressLine.line(25, of: 100, after: .seconds(10), "SYS × A02", 80)
        #expect(line == "\(bar) 25 %, 30 s left  SYS × A02")
        #expect(ProgressLine.line(25, of: 100, after: .seconds(10), "SYS × A02", 30).count == 30)
        #expect(
            ProgressLine.line(25, of: nil, after: .seconds(10), "a.har: 7 exchanges", 80)
                == "a.har: 7 exchanges"
        )
    }

    @Test("says how much is done, and after a second how long the rest takes")
    func left() {
        #expect(ProgressLine.left(25, of: 100, after: .milliseconds(999)) == "25 %")
        #expect(ProgressLine.left(25, of: 100, after: .seconds(10)) == "25 %, 30 s left")
        #expect(ProgressLine.left(1, of: 100, after: .seconds(10)) == "1 %, 16 min 30 s left")
        #expect(ProgressLine.left(1, of: 1000, after: .seconds(10)) == "0 %")
        #expect(ProgressLine.left(100, of: 100, after: .seconds(10)) == "100 %, 0 s left")
    }

    @Test("says nothing where it cannot be told")
    func unknown() {
        #expect(ProgressLine.left(5, of: nil, after: .seconds(9)) == nil)
        #expect(ProgressLine.left(0, of: 9, after: .seconds(9)) == nil)
        #expect(ProgressLine.left(10, of: 9, after: .seconds(9)) == nil)
        #expect(ProgressLine.left(0, of: 0, after: .zero) == nil)
    }
}
