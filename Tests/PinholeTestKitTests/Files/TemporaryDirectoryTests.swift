import Foundation
import PinholeTestKit
import Testing

@Suite("TemporaryDirectory")
struct TemporaryDirectoryTests {
    @Test("is not readable by other users")
    func mode() throws {
        let directory = try TemporaryDirectory()
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test("keeps its files until it is released, and then removes them")
    func removal() throws {
        var directory: TemporaryDirectory? = try TemporaryDirectory()
        let path = try #require(directory?.path)
        let file = try #require(try directory?.write("text", to: "below/file"))
        #expect(file == "\(path)/below/file")
        #expect(try directory?.read("below/file") == Array("text".utf8))
        directory = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("has another path each time")
    func unique() throws {
        let first = try TemporaryDirectory()
        let second = try TemporaryDirectory()
        #expect(first.path != second.path)
    }
}
