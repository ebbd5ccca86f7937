import PinholeModel
import Testing

@Suite("HTTPDate")
struct HTTPDateTests {
    @Test(
        "writes moments, and reads them again",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (1_623_233_894, "Wed, 09 Jun 2021 10:18:14 GMT"),
            (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)]
    )
    func both(_ seconds: Int64, _ text: String) {
        #expect(HTTPDate.text(Timestamp(seconds: seconds)) == text)
        #expect(HTTPDate.parse(text) == Timestamp(seconds: seconds))
    }

    @Test("writes no date of a year without four digits", arguments: [-1, 253_402_300_800] as [Int64])
    func beyond(_ seconds: Int64) {
        #expect(HTTPDate.text(Timestamp(seconds: seconds)) == nil)
    }

    @Test(
        "reads the older spellings",
        arguments: [
            "Wednesday, 09-Jun-21 10:18:14 GMT", "Wed Jun  9 10:18:14 2021", "9 june 2021 10:18:14",
            "Wed, 09 Jun 2021 10:18:14 +0000",
        ]
    )
    func old(_ text: String) {
        #expect(HTTPDate.parse(text) == Timestamp(seconds: 1_623_233_894))
    }

    @Test(
        "reads none where there is none",
        arguments: [
            "", "0", "-1", "Wed, 09 Jun 2021", "32 Jun 2021 10:18:14", "31 Feb 2021 10:18:14",
            "29 Feb 2023 10:18:14",
            "9 Jun 1600 10:18:14", "Wed, 09 Jun 2021 12:18:14 +0200",
            "Wed, 09 Jun 2021 10:18:14 GMT, Thu, 10 Jun 2021 10:18:14 GMT",
        ]
    )
    func none(_ text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}
