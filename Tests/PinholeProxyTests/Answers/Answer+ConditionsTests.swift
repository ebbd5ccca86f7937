import PinholeModel
import PinholeRules
import Testing

@testable import PinholeProxy

@Suite("Conditions and ranges of an answer")
struct AnswerConditionsTests {
    private static let modified = "Tue, 14 Nov 2023 22:13:20 GMT"
    private let now = Timestamp(seconds: 1_700_000_100)

    private func answer(
        _ fields: [(String, String)],
        method: String = "GET",
        status: Int = 200,
        body: [UInt8] = Array(0..<100),
        at now: Timestamp? = nil
    ) throws -> Answer {
        var section = HeaderFields()
        for (name, value) in fields { section.append(name, value) }
        let request = RuleRequest(
            scheme: .http,
            authority: try Authority("a.test", defaultPort: 80),
            method: method,
            path: "/",
            fields: section
        )
        let head: [HeaderLine] = [
            .init("Content-Type", "video/mp4"), .init("ETag", "\"v1\""),
            .init("Last-Modified", Self.modified),
        ]
        var answer = Answer(status: status, fields: head, body: body, reason: "")
        answer.meet(request, at: now ?? self.now)
        return answer
    }

    private func value(_ name: String, _ answer: Answer) -> String? {
        answer.fields.first { $0.name == name }?.value
    }

    @Test("a range is answered with 206, of text in memory and of content that is read in pieces")
    func part() throws {
        let part = try answer([("Range", "bytes=10-19")])
        #expect(part.status == 206 && part.body == Array(10..<20))
        #expect(value("Content-Range", part) == "bytes 10-19/100" && value("Accept-Ranges", part) == "bytes")
        #expect(value("ETag", part) == "\"v1\"" && value("Content-Type", part) == "video/mp4")
        let bytes = (0..<1000).map { UInt8($0 % 251) }
        let content = AnswerContent(length: bytes.count) { Array(bytes[$0]) }.part(300..<600)
        #expect(content.length == 300 && content.read(0..<10) == Array(bytes[300..<310]))
        #expect(content.read(290..<300) == Array(bytes[590..<600]))
    }

    @Test("a range beyond the end is answered with 416 and the length, without content")
    func unsatisfiable() throws {
        let refused = try answer([("Range", "bytes=100-")])
        #expect(refused.status == 416 && refused.body == [])
        #expect(value("Content-Range", refused) == "bytes */100")
        #expect(try answer([("Range", "bytes=0-")], body: []).status == 416)
    }

    @Test(
        "the whole is sent for HEAD, for other methods, for another status, and if If-Range names another version",
        arguments: [
            ("HEAD", 200, []), ("POST", 200, []), ("GET", 404, []), ("GET", 200, [("If-Range", "\"v0\"")]),
            ("GET", 200, [("If-Range", "W/\"v1\"")]), ("GET", 200, [("If-Range", "nonsense")]),
            ("GET", 200, [("If-Range", "Tue, 14 Nov 2023 22:13:21 GMT")]),
            ("GET", 200, [("If-Range", "\"v1\""), ("If-Range", "\"v1\"")]),
        ] as [(String, Int, [(String, String)])]
    )
    func whole(_ method: String, _ status: Int, _ fields: [(String, String)]) throws {
        let whole = try answer([("Range", "bytes=0-1")] + fields, method: method, status: status)
        #expect(whole.status == status && whole.body.count == 100)
        #expect(value("Content-Range", whole) == nil)
        #expect((value("Accept-Ranges", whole) != nil) == (status == 200 && method != "POST"))
    }

    @Test("If-Range with this version keeps the range; a date of the last second is no version")
    func sameVersion() throws {
        for value in ["\"v1\"", Self.modified] {
            #expect(try answer([("Range", "bytes=0-1"), ("If-Range", value)]).status == 206)
        }
        let fresh = Timestamp(microseconds: 1_700_000_000_900_000)
        let fields = [("Range", "bytes=0-1"), ("If-Range", Self.modified)]
        #expect(try answer(fields, at: fresh).status == 200)
        #expect(try answer([("If-Range", "\"v0\"")]).status == 200)
    }

    @Test(
        "a version that the client has is answered with 304, in the order of RFC 9110",
        arguments: [
            ([("If-None-Match", "\"v1\"")], 304), ([("If-None-Match", "W/\"v1\"")], 304),
            ([("If-None-Match", "\"v0\", \"v1\"")], 304), ([("If-None-Match", "*")], 304),
            ([("If-None-Match", "\"v0\"")], 200), ([("If-Modified-Since", modified)], 304),
            ([("If-Modified-Since", "Tue, 14 Nov 2023 22:13:19 GMT")], 200),
            ([("If-Modified-Since", "yesterday")], 200),
            ([("If-None-Match", "\"v0\""), ("If-Modified-Since", modified)], 200),
            ([("If-None-Match", "\"v1\""), ("Range", "bytes=0-1")], 304), ([("If-Match", "\"v0\"")], 412),
            ([("If-Match", "*")], 200), ([("If-Match", "W/\"v1\"")], 412),
            ([("If-Match", "\"v1\""), ("If-None-Match", "\"v1\"")], 304),
            ([("If-Unmodified-Since", "Tue, 14 Nov 2023 22:13:19 GMT")], 412),
            ([("If-Unmodified-Since", modified)], 200),
        ] as [([(String, String)], Int)],
        ["GET", "HEAD"]
    )
    func conditions(_ given: ([(String, String)], Int), _ method: String) throws {
        let (fields, status) = given
        let result = try answer(fields, method: method)
        #expect(result.status == status)
        #expect(result.body.isEmpty == (status != 200))
        #expect((value("Content-Type", result) == nil) == (status == 304))
        #expect(value("ETag", result) == "\"v1\"")
    }
}
