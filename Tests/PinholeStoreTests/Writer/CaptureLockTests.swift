import Foundation
import Synchronization
import Testing

@testable import PinholeStore

@Suite("The lock of a capture")
struct CaptureLockTests {
    @Test("a returned lock is free, although a forked child still holds its descriptor")
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

    @Test("a refused lock closes its own file only, and nothing that another thread opens")
    func closedOnce() throws {
        let scratch = try ScratchDirectory()
        let lock = try CaptureLock(path: scratch.capture)
        let isOver = Atomic(false)
        let lost = Atomic(0)
        let finished = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.load(ordering: .relaxed) {
                let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                for _ in 0..<50 where fcntl(descriptor, F_GETFD) < 0 {
                    lost.add(1, ordering: .relaxed)
                    break
                }
                close(descriptor)
            }
            finished.signal()
        }
        for _ in 0..<5000 {
            #expect(throws: CaptureFailure.self) { _ = try CaptureLock(path: scratch.capture) }
        }
        isOver.store(true, ordering: .relaxed)
        finished.wait()
        #expect(lost.load(ordering: .relaxed) == 0)
        _ = consume lock
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
