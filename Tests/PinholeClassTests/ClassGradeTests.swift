import PinholeCrypto
import PinholeModel
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
        try grade(files.map { SubmittedFile(place: "\($0.student).json", content: $0.content) })
    }

    private static func grade(_ files: [SubmittedFile], of members: [ClassMember] = []) throws -> ClassGrade {
        var worlds = ClassGrade.Worlds(secret: [])
        return try ClassGrade(files, of: members, in: &worlds)
    }

    @Test("right answers count, and facts with a right signature")
    func right() throws {
        var record = try Self.record("mia")
        record[3].passed["refused"] = "2026-11-27T10:00:00Z"
        let grade = try Self.grade([("mia", Self.file(record))])
        let row = try #require(grade.rows.first)
        #expect(row.lessons.map(\.passed) == [4, 4, 3, 6, 0, 0, 0, 0])
        #expect(row.lessons.map(\.all) == [4, 4, 4, 6, 7, 4, 5, 5])
        #expect(row.remarks.isEmpty)
        #expect(row.checks == 8)
        #expect(row.points == 4 * 17)
        record[1].tries = ["token": 1, "server": 3, "document": 9]
        record[1].why = "=because"
        let tried = try Self.grade([("mia", Self.file(record))])
        #expect(tried.rows[0].points == 4 * 14 + 3 + 1 + 1)
        #expect(tried.html.contains("Lesson 1: why") && tried.html.contains("<td>=because</td>"))
        #expect(grade.csv.hasPrefix("student,lesson 1,"))
        #expect(grade.csv.contains("mia,4/4,4/4,3/4,6/6"))
    }

    @Test("work in lessons that are not graded is noted")
    func otherLessons() throws {
        var record = try Self.record("mia")
        #expect(try Self.grade([("mia", Self.file(record))]).rows.first?.notes == [])
        record[9].checks = 1
        record[10].predictions = ["a": "1"]
        let notes = try Self.grade([("mia", Self.file(record))]).rows.first?.notes
        #expect(notes == ["work in lessons that are not graded: 9-10; grade them as well with --lessons"])
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

    @Test(
        "a file belongs to the student in its content, whatever its name is",
        arguments: ["mia (1).json", "Ben Becker_1234_file/results.json", "x.zip: ben/mia.JSON"]
    )
    func renamed(_ place: String) throws {
        let mia = Self.file(try Self.record("mia"))
        let rows = try Self.grade([SubmittedFile(place: place, content: mia)]).rows
        #expect(rows.map(\.student) == ["mia"])
        #expect(rows[0].passed == 16)
        #expect(rows[0].remarks == [])
        #expect(rows[0].notes == (place.hasSuffix("/mia.JSON") ? [] : ["handed in as \(place)"]))
    }

    @Test("a results file with a changed student names the student who made it")
    func foreignSeed() throws {
        var record = try Self.record("mia")
        let mia = Self.file(record)
        // Ben writes his name into the file of Mia, and keeps its signature or makes another one with her seed.
        let text = String(decoding: mia, as: UTF8.self)
        let edited = text.replacing("\"student\":\"mia\"", with: "\"student\":\"ben\"")
        #expect(edited != text)
        let kept = try Self.grade([("ben", Array(edited.utf8)), ("mia", mia)]).rows[0]
        #expect(kept.remarks.first == "the member “student” was changed from mia to ben")
        #expect(kept.lessons[1].passed == 0)
        record.student = "ben"
        let signed = try Self.grade([("ben", Array(record.signed(ClassSeed("mia")).utf8)), ("mia", mia)])
        #expect(signed.rows[0].remarks.contains("made with the seed of mia"))
    }

    @Test("of several files of a student, the newest with a right signature counts, and all are named")
    func newest() throws {
        var record = try Self.record("mia")
        let seed = ClassSeed("mia")
        let early = record.signed(seed, at: Timestamp(seconds: 1_795_000_000))
        record[3].passed["refused"] = "2026-11-27T10:00:00Z"
        let late = record.signed(seed, at: Timestamp(seconds: 1_795_100_000))
        record[3].passed["read"] = "2026-11-27T10:00:00Z"
        let newest = record.signed(seed, at: Timestamp(seconds: 1_795_200_000))
        let forged = newest.replacing(
            "\"read\":\"2026-11-27T10:00:00Z\"",
            with: "\"read\":\"2026-11-28T10:00:00Z\""
        )
        #expect(forged != newest)
        let files = [("a.json", late), ("mia.json", early), ("c.json", forged)]
        let row = try #require(
            try Self.grade(files.map { SubmittedFile(place: $0, content: Array($1.utf8)) }).rows.first
        )
        #expect(row.lessons[2].passed == 3)
        #expect(row.remarks == ["c.json: changed by hand: lesson 3: the result of read was changed"])
        try #require(row.notes.count == 2)
        #expect(
            row.notes[1].hasPrefix("a.json (2026-11-")
                && row.notes[1].contains("also handed in: mia.json (2026-")
        )
    }

    @Test("the teacher's sheet has the first predictions, and no table without any")
    func predictions() throws {
        var record = ClassRecord("mia", year: 2026)
        record[5].predictions = ["insider": "accepts", "other": "accepts", "renewed": "accepts", "none": "x"]
        let grade = try Self.grade([("mia", Self.file(record))])
        let told = grade.rows.first?.predictions.map { [$0.trial, $0.prediction, $0.outcome] }
        let expected = [
            ["insider", "accepts", "accepts"], ["other", "accepts", "refuses"],
            ["renewed", "accepts", "accepts"],
        ]
        #expect(told == expected)
        #expect(grade.html.contains("<tr><th>mia</th>") && grade.html.contains("<td>2/3</td>"))
        record[5].predictions = nil
        #expect(try !Self.grade([("mia", Self.file(record))]).html.contains("Predictions"))
    }

    @Test("students without a file have rows with their names and groups, in natural order")
    func members() throws {
        let members = [
            ClassMember(id: "s10", name: "Zoë 10", group: "10b"), ClassMember(id: "s2", name: "Zoë 2"),
            ClassMember(id: "a", name: "Ämil, 😀"),
        ]
        let grade = try Self.grade([] as [SubmittedFile], of: members)
        #expect(grade.rows.map(\.name) == ["Ämil, 😀", "Zoë 2", "Zoë 10"])
        #expect(grade.rows.allSatisfy { $0.notes == ["no results"] && $0.remarks.isEmpty })
        #expect(
            grade.points == """
                id,name,group,points,maximum
                a,"Ämil, 😀",,0,156
                s2,Zoë 2,,0,156
                s10,Zoë 10,10b,0,156

                """
        )
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
        #expect(
            row.remarks == [
                "changed by hand: lesson 5: the result of honest was added, lesson 5: the number of checks was added, lesson 5: the start was added"
            ]
        )
        // A file of an earlier version has no seals.
        let unsealed = #"{"lessons":{},"signature":"00","student":"mia","year":2026}"#
        let old = try #require(try Self.grade([("mia", Array(unsealed.utf8))]).rows.first)
        #expect(old.remarks.first?.hasPrefix("not signed with the seed of mia") == true)
    }

    @Test("an answer that another student has by chance is no copy")
    func chance() throws {
        var record = ClassRecord("mia", year: 2026)
        let other = ClassNames(ClassSeed("ben"), year: 2026)
        record[2].answers["anchor"] = try #require(try other.answers(2)["anchor"]).text
        record[6].answers["early"] = try #require(try other.answers(6)["early"]).text
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

    @Test("an archive full of damaged files costs no worlds")
    func invented() throws {
        let files = (0..<3_000).map { number in
            SubmittedFile(place: "x.zip: \(number).json", path: "\(number).json", content: [0x7b])
        }
        var worlds = ClassGrade.Worlds(secret: [])
        let grade = try ClassGrade(files, in: &worlds)
        #expect(worlds.count <= 1)
        #expect(grade.rows.count == 3_000)
        #expect(grade.rows.allSatisfy { $0.lessons.map(\.all) == [4, 4, 4, 6, 7, 4, 5, 5] })
    }

    @Test("a name of a student is a name of a file")
    func names() {
        for good in ["mia", "zoë", "4b-17", "a.b_c", "classy"] { #expect(ClassSeed.isName(good)) }
        for bad in ["", "class", "Class", ".", "../x", "a/b", "a b", String(repeating: "a", count: 65)] {
            #expect(!ClassSeed.isName(bad))
        }
    }
}
