import Foundation
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeTestKit
import Testing

@testable import PinholeRuntime

/// The answers that rules send from files.
@Suite("LocalFiles")
struct LocalFilesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func isSent(_ name: String) -> Bool {
        (try? LocalFiles.content(of: directory.file(name))) != nil
    }

    @Test("Pinhole's secrets are not sent, not by a link either")
    func secrets() throws {
        let head = "SQLite format 3\0" + String(repeating: "\0", count: 52)
        try directory.write("key", to: "ca/rootCA-key.pem")
        try directory.write("certificate", to: "ca/rootCA.pem")
        try directory.write(head + "Pinh", to: "c.sqlite")
        try directory.write("pages", to: "c.sqlite-wal")
        try directory.write("token", to: "c.sqlite.token")
        try directory.write("127.0.0.1:1", to: "c.sqlite.console")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("link.txt"),
            withDestinationPath: directory.file("ca/rootCA-key.pem")
        )
        for name in [
            "ca/rootCA-key.pem", "ca/rootCA.pem", "c.sqlite", "c.sqlite-wal", "c.sqlite.token",
            "c.sqlite.console", "link.txt",
        ] {
            #expect(!isSent(name), "\(name)")
        }
    }

    @Test("other databases, and files whose names end like journals, are sent")
    func others() throws {
        let head = "SQLite format 3\0" + String(repeating: "\0", count: 56)
        try directory.write(head, to: "mine.sqlite")
        try directory.write("a", to: "travel-journal")
        try directory.write("{}", to: "a.json")
        for name in ["mine.sqlite", "travel-journal", "a.json"] { #expect(isSent(name), "\(name)") }
    }

    private func answer(_ name: String, _ fields: [(String, String)], mock: Bool = false) throws -> Answer {
        var section = HeaderFields()
        for (name, value) in fields { section.append(name, value) }
        let request = RuleRequest(
            scheme: .http,
            authority: try Authority("a.test", defaultPort: 80),
            method: "GET",
            path: "/\(name)",
            fields: section
        )
        var answer = MockAnswer(status: 200)
        answer.content = .file(directory.file(name))
        let question: Consultation =
            mock
            ? .file(answer, request, reason: "")
            : .local(LocalMap(root: directory.path, isFolder: true), request, reason: "")
        let decision = LocalFiles().decide(question)
        let found: Answer? = if case .answer(let answer) = decision { answer } else { nil }
        return try #require(found)
    }

    @Test(
        "a file has its version, and another one after a change of the same length",
        arguments: [false, true]
    )
    func version(mock: Bool) throws {
        try directory.write("one", to: "a.txt")
        let first = try answer("a.txt", [], mock: mock)
        let tag = try #require(first.fields.first { $0.name == "ETag" }?.value)
        #expect(first.status == 200 && first.body == Array("one".utf8))
        #expect(first.fields.contains { $0.name == "Last-Modified" })
        #expect(try answer("a.txt", [("If-None-Match", tag)], mock: mock).status == 304)
        #expect(try answer("a.txt", [("Range", "bytes=-2")], mock: mock).body == Array("ne".utf8))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
            ofItemAtPath: directory.file("a.txt")
        )
        let second = try answer("a.txt", [("If-None-Match", tag)], mock: mock)
        #expect(second.status == 200 && second.fields.first { $0.name == "ETag" }?.value != tag)
        #expect(second.fields.contains { $0.value == "Tue, 14 Nov 2023 22:13:20 GMT" })
    }

    @Test("a part of a long file is read while it is sent")
    func longFile() throws {
        let text = (0..<20_000).map { "\($0) " }.joined()
        try directory.write(text, to: "long.txt")
        let part = try answer("long.txt", [("Range", "bytes=70000-79999")])
        #expect(part.status == 206 && part.body == [])
        let content = try #require(part.content)
        #expect(content.length == 10_000)
        #expect(content.read(0..<10_000) == Array(Array(text.utf8)[70_000..<80_000]))
    }
}
