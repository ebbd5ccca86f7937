import Foundation
import PinholeTestKit
import Testing

/// The lessons of `pinhole class`, played by `Tests/Class/play.py` with the commands of the worksheets.
@Suite("The class")
struct ClassTests {
    private static let scripts = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Class")

    private static let isPossible = ["openssl", "python3", "strings", "bash"].allSatisfy {
        Executable.find($0) != nil
    }

    /// The students who play in each language: the first plays the odd lessons, the last the even ones.
    ///
    /// A play takes the processor time of a hundred other tests, so not every student plays every lesson.
    private static let students = ["en": ["mia", "4b-17"], "de": ["zoë"]]

    @Test(
        "a student passes the lesson with the commands of the worksheet, and not by copying",
        .enabled(if: isPossible),
        arguments: students.keys.sorted(),
        1...12
    )
    func lesson(_ language: String, _ number: Int) async throws {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let python = try #require(Executable.find("python3"))
        let students = Self.students[language] ?? []
        let student = try #require(number.isMultiple(of: 2) ? students.last : students.first)
        let result = try await ProcessRunner.run(
            Invocation(
                python,
                [Self.scripts.appending(path: "play.py").path, binary, student, String(number), language]
            )
        )
        #expect(result.isSuccess, "\(result.errorText)")
    }

    @Test(
        "in a class on one machine, each student sees the own page, and the teacher the results",
        .enabled(if: isPossible)
    )
    func serve() async throws {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let python = try #require(Executable.find("python3"))
        let result = try await ProcessRunner.run(
            Invocation(python, [Self.scripts.appending(path: "serve.py").path, binary])
        )
        #expect(result.isSuccess, "\(result.errorText)")
    }

    @Test("the grade of 30 files is a table, and says whose answers were copied")
    func grade() async throws {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let folder = try TemporaryDirectory()
        // A file that cannot be read is a row, and ends nothing.
        try FileManager.default.createDirectory(
            atPath: folder.file("folder.json"),
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.json"),
            withDestinationPath: folder.file("nowhere")
        )
        for number in 1...30 {
            // No student has begun, but for the first student, whose file the second one handed in.
            let student = number == 2 ? "s1" : "s\(number)"
            let record = #"{"lessons":{},"signature":"00","student":"\#(student)","year":2026}"#
            try Data(record.utf8).write(to: URL(filePath: folder.file("s\(number).json")))
        }
        let result = try await ProcessRunner.run(
            Invocation(
                binary,
                ["class", "grade", folder.path, "--html", folder.file("grade.html"), "--csv", "-"]
            )
        )
        #expect(result.exit == .code(1))
        #expect(result.text.split(separator: "\n").count == 32)
        #expect(result.errorText.contains("link: the file cannot be read: it is a link"))
        #expect(result.errorText.contains("folder: the file cannot be read: it is no file"))
        for name in ["s1.json", "s2.json"] {
            #expect(
                result.errorText.contains("\(name): not signed with the seed of s1"),
                "both files of s1 are named"
            )
        }
        let page = try String(contentsOfFile: folder.file("grade.html"), encoding: .utf8)
        #expect(page.contains("<td>s30</td>"))
    }

    @Test("the table on the terminal has the folders of classes, and comes again when a result changes")
    func watch() async throws {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let folder = try TemporaryDirectory()
        let own = folder.file("one")
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: URL(filePath: "\(own)/class.json"))
        func hand(in student: String) throws {
            let record = #"{"lessons":{},"signature":"","student":"\#(student)","year":2026}"#
            try Data(record.utf8).write(to: URL(filePath: "\(own)/\(student).json"))
        }
        try hand(in: "mia")
        let watching = Invocation(binary, ["class", "grade", folder.path, "--watch"])
        try await SpawnedProcess.run(watching) { process in
            _ = try await process.line { $0.hasPrefix("mia ") }
            try hand(in: "ben")
            _ = try await process.line { $0.hasPrefix("ben ") }
            process.send(signal: SIGTERM)
            #expect(await process.result().isSuccess)
        }
    }

    @Test(
        "the archive of a learning platform is graded by the contents of its files",
        .enabled(if: isPossible)
    )
    func archive() async throws {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let python = try #require(Executable.find("python3"))
        let result = try await ProcessRunner.run(
            Invocation(python, [Self.scripts.appending(path: "hand_in.py").path, binary])
        )
        #expect(result.isSuccess, "\(result.errorText)")
    }

    @Test("commands without a class, and invalid answers, fail with a remedy")
    func failures() async throws {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let folder = try TemporaryDirectory()
        func run(_ words: String...) async throws -> ProcessResult {
            try await ProcessRunner.run(Invocation(binary, ["class"] + words, directory: folder.path))
        }
        let none = try await run("check", "1")
        #expect(none.exit == .code(3) && none.errorText.contains("start one: pinhole class start"))
        #expect(try await run("start").errorText.contains("expected --seed STUDENT"))
        #expect(
            try await run("start", "--seed", "a/b").errorText.contains("--seed: expected 1 to 64 letters")
        )
        #expect(
            try await run("lesson", "13").errorText.contains("expected a lesson from 1 to 12, found “13”")
        )
        #expect(try await run("check", "1", "token").errorText.contains("expected TASK=ANSWER"))
        try Data("mia\nMia\n".utf8).write(to: URL(filePath: folder.file("twice.txt")))
        #expect(
            try await run("serve", "--students", "twice.txt").errorText.contains(
                "line 2: the list has Mia twice, first in line 1"
            )
        )
        #expect(
            try await run("serve", "--students", "twice.txt", "--listen", "192.0.2.1:0").errorText
                .contains("expected --open beside it")
        )
        #expect(
            try await run("serve", "--students", "twice.txt", "--open", "--listen", "0.0.0.0:0").errorText
                .contains("expected an address of this machine")
        )
        #expect(try await run("grade", folder.path).errorText.contains("has no results"))
        try Data("{}".utf8).write(to: URL(filePath: folder.file("class.json")))
        #expect(try await run("start", "--seed", "mia").errorText.contains("is damaged"))
        #expect(try await run("lesson", "--directory", "").errorText.contains("found an empty text"))
        let damaged = try await run("lesson", "1")
        #expect(damaged.exit == .code(3) && damaged.errorText.contains("is damaged"))
    }

    @Test("the printed sheets have the student's name, and the key has the answers")
    func sheets() async throws {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        func print(_ words: String...) async throws -> String {
            try await ProcessRunner.run(
                Invocation(binary, ["class", "print", "--seed", "mia", "--html", "-"] + words)
            ).text
        }
        let answers = try await ProcessRunner.run(Invocation(binary, ["class", "key", "--seed", "mia", "1"]))
            .text
        let token = try #require(answers.firstMatch(of: /token: (\w+)/)).1
        let sheet = try await print()
        #expect(sheet.contains("mia") && !sheet.contains(token))
        #expect(sheet.components(separatedBy: "<section>").count == 9)
        #expect(try await print("--key", "1").contains(token))
        let chosen = try await print("--lessons", "9-10")
        #expect(chosen.components(separatedBy: "<section>").count == 3)
        #expect(chosen.contains("<h2>Predict</h2>") && chosen.contains("☐ the 401 is delivered"))
        let none = try await ProcessRunner.run(
            Invocation(binary, ["class", "start", "--seed", "mia", "--lessons", "8-13"])
        )
        #expect(
            none.errorText.contains("--lessons: expected lessons from 1 to 12, such as 1-8,10, found “8-13”")
        )
        #expect(try await print("--language", "de", "1").contains("Mitlesen"))
    }
}
