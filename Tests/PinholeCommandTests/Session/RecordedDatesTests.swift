import PinholeModel
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("RecordedDates")
struct RecordedDatesTests {
    /// A day and an hour later.
    private let dates = RecordedDates(
        recorded: Timestamp(seconds: 1_700_000_000),
        now: Timestamp(seconds: 1_700_090_000)
    )

    @Test(
        "moves dates, and leaves everything else as it was",
        arguments: [
            ("Date", "Tue, 14 Nov 2023 22:13:20 GMT", "Wed, 15 Nov 2023 23:13:20 GMT"),
            ("last-modified", "Tuesday, 14-Nov-23 22:13:20 GMT", "Wed, 15 Nov 2023 23:13:20 GMT"),
            ("Expires", "0", "0"), ("Expires", "never", "never"),
            ("ETag", "Tue, 14 Nov 2023 22:13:20 GMT", "Tue, 14 Nov 2023 22:13:20 GMT"),
            (
                "Set-Cookie", "a=b; Path=/;Expires=Tue, 14-Nov-2023 23:13:20 GMT; HttpOnly",
                "a=b; Path=/;Expires=Thu, 16 Nov 2023 00:13:20 GMT; HttpOnly"
            ),
            ("set-cookie", "expires=Tue, 14 Nov 2023 22:13:20 GMT", "expires=Tue, 14 Nov 2023 22:13:20 GMT"),
            ("set-cookie", "a=b; expires=soon;; expires", "a=b; expires=soon;; expires"),
            (
                "set-cookie", #"a=b; expires="Tue, 14 Nov 2023 22:13:20 GMT""#,
                #"a=b; expires="Wed, 15 Nov 2023 23:13:20 GMT""#
            ),
            (
                "Date", "Fri, 31 Dec 9999 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"
            ),
        ]
    )
    func moved(_ name: String, _ value: String, _ expected: String) {
        #expect(dates.value(of: name, value) == expected)
    }
}
