import Foundation
import PinholeModel
import PinholeStore
import Testing

@Suite("ScratchFile")
struct ScratchFileTests {
    private func names(_ scratch: ScratchDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
    }

    @Test("the file of a killed import is removed when the capture is opened again")
    func killed() async throws {
        let scratch = try ScratchDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.capture as String] in
            let file = try ImportFile(beside: path)
            try file.append([1, 2, 3])
            _ = FileManager.default.createFile(atPath: file.path + "-wal", contents: nil)
            raise(SIGKILL)
        }
        #expect(try names(scratch).count == 2)
        _ = ImportQueue(.file(scratch.capture))
        #expect(try names(scratch) == [])
    }

    @Test("files in use, and files with other names, stay")
    func others() throws {
        let scratch = try ScratchDirectory()
        let file = try ImportFile(beside: scratch.capture)
        let mine = ["capture.sqlite.import-notes.txt", "capture.sqlite.imports", "other.sqlite.import-1a"]
        for name in mine {
            _ = FileManager.default.createFile(atPath: "\(scratch.path)/\(name)", contents: nil)
        }
        let left = ScratchFile.path(for: .export, beside: scratch.capture)
        _ = FileManager.default.createFile(atPath: left, contents: nil)
        ScratchFile.removeAbandoned(beside: scratch.capture)
        let own = try #require(file.path.split(separator: "/").last.map(String.init))
        #expect(try names(scratch) == ([own] + mine).sorted())
        withExtendedLifetime(file) {}
    }
}
