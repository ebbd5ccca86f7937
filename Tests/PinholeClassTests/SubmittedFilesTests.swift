import Foundation
import PinholeTestKit
import Testing

@testable import PinholeClass

@Suite("SubmittedFiles")
struct SubmittedFilesTests {
    private func write(_ text: String, to name: String, in folder: TemporaryDirectory) throws {
        let path = folder.file(name)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    @Test("results are found in folders, and files of lessons are not results")
    func folders() throws {
        let folder = try TemporaryDirectory()
        let results = ["mia.json", "Ben Becker_12_file/ben (1).json", "classes/zoe/zoe.json"]
        let others = [
            "readme.txt", "classes/zoe/class.json", "classes/zoe/lesson-5/policy.json", ".hidden.json",
            "__MACOSX/mia.json",
            "1/2/3/4/5/deep.json",
        ]
        for name in results + others { try write(name, to: name, in: folder) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.json"),
            withDestinationPath: folder.file("mia.json")
        )
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("loop"),
            withDestinationPath: folder.path
        )
        let found = try SubmittedFiles(in: folder.path)
        #expect(Set(found.files.map(\.place)) == Set(results + ["link.json"]))
        for file in found.files {
            #expect(String(decoding: file.content, as: UTF8.self) == (file.fault == nil ? file.place : ""))
        }
        #expect(found.files.first { $0.place == "link.json" }?.fault == "it is a link")
        #expect(found.faults == [])
    }

    @Test("a name without the additions of a learning platform is the student's")
    func names() {
        let named = [
            "a/mia.json": "mia", "mia (12).JSON": "mia", "b\\mia.json": "mia", "mia(x).json": "mia(x)",
            "().json": "",
        ]
        for (place, student) in named {
            #expect(SubmittedFile(place: place, content: []).namedStudent == student)
        }
    }

    @Test("reports a file that is no archive, and reads the others")
    func archives() throws {
        let folder = try TemporaryDirectory()
        try write("PK no archive", to: "a.zip", in: folder)
        try write("{}", to: "mia.json", in: folder)
        let found = try SubmittedFiles(in: folder.path)
        #expect(found.files.map(\.place) == ["mia.json"])
        #expect(found.faults == ["a.zip: the archive is not valid zip, or is cut off"])
    }
}
