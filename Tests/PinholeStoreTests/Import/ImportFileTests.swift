import Foundation
import PinholeStore
import Testing

@Suite("ImportFile")
struct ImportFileTests {
    @Test("is for its owner alone, and goes with its object")
    func alone() throws {
        let scratch = try ScratchDirectory()
        var file: ImportFile? = try ImportFile(beside: scratch.capture)
        let path = try #require(file?.path)
        try file?.append([1, 2, 3, 4][1...])
        #expect(file?.size == 3 && path.hasPrefix("\(scratch.capture).import-"))
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([2, 3, 4]))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        file = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("names the folder that has no space for the file")
    func noRoom() {
        #expect(throws: CaptureFailure.self) { try ImportFile(beside: "/nowhere/at/all.sqlite") }
    }
}
