import Foundation
import Testing

@testable import PinholeStore

@Suite("The lock of a capture")
struct CaptureLockTests {
    @Test("who gives it back has given it back, though a forked child still holds its descriptor")
    func forkedChild() throws {
        let scratch = try ScratchDirectory()
        let path = URL(filePath: scratch.capture).resolvingSymlinksInPath().path
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        do {
            let lock = try CaptureLock(path: path)
            copies = try Self.descriptors(of: path).map { dup($0) }
            #expect(throws: CaptureFailure.inUse(path: path)) { _ = try CaptureLock(path: path) }
            _ = consume lock
        }
        #expect(copies.count == 1)
        _ = try CaptureLock(path: path)
    }

    @Test("leaves no empty file in a folder that others can write to")
    func refusedFolder() throws {
        let scratch = try ScratchDirectory()
        chmod(scratch.path, 0o777)
        #expect(throws: CaptureFailure.self) { _ = try CaptureLock(path: scratch.capture) }
        #expect(!FileManager.default.fileExists(atPath: scratch.capture))
    }

    /// The descriptors of this process that have the file open.
    private static func descriptors(of path: String) throws -> [Int32] {
        let manager = FileManager.default
        return try manager.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).filter {
            (try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
    }
}
