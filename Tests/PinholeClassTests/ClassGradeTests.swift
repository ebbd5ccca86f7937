import PinholeCrypto
import Testing

@testable import PinholeClass

@Suite("The grade of a class")
struct ClassGradeTests {
    /// The results of a student who gave right answers to lessons 1 to 4.
    private static func record(_ student: String, answersOf other: String? = nil) throws -> ClassRecord {
        let names = ClassNames(ClassSeed(other ?? student), year: 2026)
        var record = ClassRecord(student, year: 2026)
        for lesson in 1...4 {
            for (task, answer) in try names.answers(lesson) {
                record[lesson].answers[task] = answer.text
                record[lesson].passed[task] = "2026-11-27T10:00:00Z"
            }
            record[lesson].checks = 2
        }
        return record
    }

    private static func file(_ record: ClassRecord, seed: String? = nil) -> [UInt8] {
        Array(record.signed(ClassSeed(seed ?? record.student)).utf8)
    }

    private static func grade(_ files: [(student: String, content: [UInt8])]) throws -> ClassGrade {
        var worlds = ClassGrade.Worlds(secret: [])
        return try ClassGrade(files, in: &worlds)
    }

    @Test("right answers count, and facts with a right signature")
    func right() throws {
        var record = try Self.record("mia")
        record[3].passed["refused"] = "2026-11-27T10:00:00Z"
        let grade = try Self.grade([("mia", Self.file(record))])
        let row = try #require(grade.rows.first)
        #expect(row.lessons.map(\.passed) == [4, 4, 3, 6, 0, 0, 0, 0])
        #expect(row.lessons.map(\.all) == [4, 4, 4, 6, 6, 4, 5, 5])
        #expect(row.remarks.isEmpty)
        #expect(row.checks == 8)
        #expect(grade.csv.hasPrefix("student,lesson 1,"))
        #expect(grade.csv.contains("mia,4/4,4/4,3/4,6/6"))
    }

    @Test("answers of another student are pointed out, and do not count")
    func copied() throws {
        let files = [
            ("ben", Self.file(try Self.record("ben", answersOf: "mia"))),
            ("mia", Self.file(try Self.record("mia"))),
        ]
        let rows = try Self.grade(files).rows
        #expect(
            rows[0].remarks.contains { $0.hasPrefix("answers of mia: 1 server, 1 token, 2 ") },
            "\(rows[0].remarks)"
        )
        #expect(rows[0].lessons[1].passed == 0)
        #expect(rows[1].remarks.isEmpty)
    }

    @Test("a file that was made with another student's seed is pointed out")
    func foreignSeed() throws {
        var record = try Self.record("mia")
        let mia = Self.file(record)
        // Ben copies the file of Mia and writes his own name into it, or does not.
        let copy = try Self.grade([("ben", mia), ("mia", mia)]).rows[0]
        #expect(copy.remarks.contains("the file says that it is of mia"))
        #expect(copy.remarks.contains("made with the seed of mia"))
        record.student = "ben"
        let edited = try Self.grade([("ben", Array(record.signed(ClassSeed("mia")).utf8)), ("mia", mia)])
        #expect(edited.rows[0].remarks.contains("made with the seed of mia"))
    }

    @Test("a file that was edited by hand is pointed out, and its facts do not count")
    func edited() throws {
        var record = ClassRecord("mia", year: 2026)
        let signed = record.signed(ClassSeed("mia"))
        record = try ClassRecord(Array(signed.utf8))
        record[5].passed = ["honest": "x", "gateway": "x"]
        // The old signature stays in the file.
        let file = signed.replacing(
            "\"lessons\":{}",
            with:
                "\"lessons\":{\"5\":{\"answers\":{},\"checks\":0,\"hints\":{},\"passed\":{\"honest\":\"x\"},\"since\":0}}"
        )
        #expect(file != signed)
        let row = try #require(try Self.grade([("mia", Array(file.utf8))]).rows.first)
        #expect(row.lessons[4].passed == 0)
        #expect(row.remarks.contains { $0.hasPrefix("not signed with the seed of mia") })
    }

    @Test("an answer that another student has by chance is no copy")
    func chance() throws {
        var record = ClassRecord("mia", year: 2026)
        let other = ClassNames(ClassSeed("ben"), year: 2026)
        record[2].answers["anchor"] = try #require(try other.answers(2)["anchor"]).text
        record[6].answers["first"] = try #require(try other.answers(6)["first"]).text
        let files = [("ben", Self.file(ClassRecord("ben", year: 2026))), ("mia", Self.file(record))]
        #expect(try Self.grade(files).rows[1].remarks == [])
    }

    @Test(
        "a damaged file is a remark",
        arguments: [
            "", "{", "[]", "{\"student\": 7}",
            #"{"lessons":{"1":{"answers":{},"checks":9223372036854775807,"hints":{},"passed":{},"since":0}},"signature":"","student":"mia","year":2026}"#,
            #"{"lessons":{"1":{"answers":{},"checks":0,"hints":{"a":-1},"passed":{},"since":0}},"signature":"","student":"mia","year":2026}"#,
        ]
    )
    func damaged(_ text: String) throws {
        let row = try #require(try Self.grade([("mia", Array(text.utf8))]).rows.first)
        #expect(row.remarks == ["the file is damaged"])
        #expect(row.passed == 0)
    }

    @Test("a name of a student is a name of a file")
    func names() {
        for good in ["mia", "zoë", "4b-17", "a.b_c", "classy"] { #expect(ClassSeed.isName(good)) }
        for bad in ["", "class", "Class", ".", "../x", "a/b", "a b", String(repeating: "a", count: 65)] {
            #expect(!ClassSeed.isName(bad))
        }
    }
}
