import PinholeLock
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

    @Test("between two steps, the time left decreases, but not below the time of the next steps")
    func between() {
        // 10 s for each step: 30 s are left after the first of four, 20 s at least until the second.
        #expect(ProgressLine.left(1, of: 4, after: .seconds(10)) == "25 %, 30 s left")
        #expect(ProgressLine.left(1, of: 4, after: .seconds(14), since: .seconds(4)) == "25 %, 26 s left")
        #expect(ProgressLine.left(1, of: 4, after: .seconds(70), since: .seconds(60)) == "25 %, 20 s left")
        #expect(ProgressLine.left(4, of: 4, after: .seconds(50), since: .seconds(10)) == "100 %, 0 s left")
    }

    @Test("before the first step, the line says how long it has taken so far")
    func before() {
        #expect(ProgressLine.line(0, of: 9, after: .milliseconds(900), "C0", 80) == "C0")
        #expect(ProgressLine.line(0, of: 9, after: .seconds(65), "C0", 80) == "C0, 1 min 5 s so far")
    }

    @Test("the line is drawn anew while nothing happens, erased for a result, and drawn again")
    func life() {
        let clock = Lock(ContinuousClock.now)
        let written = Lock("")
        let pass = { (duration: Duration) in clock.withLock { $0 += duration } }
        let take = {
            written.withLock { text in
                defer { text = "" }
                return text
            }
        }
        let screen = ProgressLine.Screen(
            isPossible: true,
            width: { 60 },
            write: { text in written.withLock { $0 += text } },
            now: { clock.withLock(\.self) },
            hasHeartbeat: false
        )
        let line = ProgressLine(on: screen)
        line.begin(of: 4, "A01")
        #expect(take() == "\r\u{1b}[KA01")
        pass(.seconds(10))
        line.begin(of: 4, "A02")
        #expect(take().hasSuffix(" 25 %, 30 s left  A02"))
        pass(.seconds(4))
        line.refresh()
        #expect(take().hasSuffix(" 25 %, 26 s left  A02"))
        line.aside { written.withLock { $0 += "result\n" } }
        #expect(take() == "\r\u{1b}[Kresult\n")
        line.aside { written.withLock { $0 += "another\n" } }
        #expect(take() == "another\n", "the line is not there, so nothing is erased")
        line.refresh()
        #expect(take().hasSuffix(" 25 %, 26 s left  A02"))
        line.end()
        #expect(take() == "\r\u{1b}[K")
        line.refresh()
        #expect(take().isEmpty)

        let wait = ProgressLine.waiting("waiting for example.com", on: screen)
        wait.refresh()
        #expect(take().isEmpty, "a short wait shows nothing")
        pass(.milliseconds(3_400))
        wait.refresh()
        #expect(take() == "\r\u{1b}[Kwaiting for example.com, 3 s so far")
        wait.end()
    }

    @Test("a pipe gets nothing")
    func pipe() {
        let screen = ProgressLine.Screen(
            isPossible: false,
            width: { 60 },
            write: { Issue.record("\($0) was written") },
            now: { ContinuousClock.now }
        )
        let line = ProgressLine(on: screen)
        line.tell(1, of: 2, "a")
        line.aside {}
        line.end()
        ProgressLine.waiting("b", on: screen).refresh()
    }

    @Test("shows no time left if it cannot be estimated")
    func unknown() {
        #expect(ProgressLine.left(5, of: nil, after: .seconds(9)) == nil)
        #expect(ProgressLine.left(0, of: 9, after: .seconds(9)) == nil)
        #expect(ProgressLine.left(10, of: 9, after: .seconds(9)) == nil)
        #expect(ProgressLine.left(0, of: 0, after: .zero) == nil)
    }
}
