import PinholeModel
import PinholeTrust
import Testing

@Suite("CalendarDate")
struct CalendarDateTests {
    @Test(
        "reads a day as its start in UTC",
        arguments: [
            ("1970-01-01", 0), ("2000-02-29", 951_782_400), ("2026-11-21", 1_795_219_200),
            ("1969-12-31", -86_400), ("2100-03-01", 4_107_542_400),
        ]
    )
    func days(text: String, seconds: Int64) {
        #expect(CalendarDate.start(of: text) == Timestamp(seconds: seconds))
        #expect(CalendarDate.text(Timestamp(seconds: seconds)) == text)
    }

    @Test(
        "refuses an invalid date",
        arguments: [
            "", "2026", "2026-13-01", "2026-00-10", "2026-02-30", "2100-02-29", "26-01-01", "2026-1-1",
            "2026-01-01T00:00:00Z", "01-01-2026", "-026-01-01", "２026-01-01", "2026--1-01",
        ]
    )
    func nonsense(text: String) {
        #expect(CalendarDate.start(of: text) == nil)
    }

    @Test("takes fields of one digit where they are allowed, and no other shape")
    func shortFields() {
        let day = CalendarDate.start(of: "2027-01-01")
        for text in ["2027-1-1", "2027-01-1", "2027-1-01", "2027-01-01"] {
            #expect(CalendarDate.start(of: text, allowsShortFields: true) == day)
        }
        for text in ["27-1-1", "2027-001-1", "2027--1", "2027-1", "2027-13-1"] {
            #expect(CalendarDate.start(of: text, allowsShortFields: true) == nil, "\(text)")
        }
    }
}
