import Glibc
import PinholeTestKit
import Testing

@testable import PinholeFiles

@Suite("InputFile")
struct InputFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func failure(_ path: String, limit: Int = 100, patience: Int = 0) -> String? {
        do throws(InputFailure) {
            _ = try InputFile(path, patience: patience).content(limit: limit)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("reads a file up to a limit, and says why it cannot")
    func files() throws {
        try directory.write("hello", to: "file")
        let path = directory.file("file")
        #expect(try InputFile(path).content(limit: 5) == Array("hello".utf8))
        #expect(failure(path, limit: 4) == "expected \(path) to have at most 4 bytes")
        try directory.write("", to: "empty")
        #expect(try InputFile(directory.file("empty")).content(limit: 5).isEmpty)
        #expect(try InputFile("/dev/null").content(limit: 5).isEmpty)
        #expect(failure(directory.path)?.hasSuffix("it is a folder; name a file in it") == true)
        #expect(failure(directory.file("none"))?.hasSuffix("there is no such file") == true)
    }

    @Test("a device that has nothing to say ends the patience, and a terminal of others, too")
    func devices() throws {
        #expect(failure("/dev/ptmx")?.hasSuffix("it is a device, and nothing came from it for 0 s") == true)
        #expect(try InputFile("/dev/zero").descriptor >= 0)
        #expect(failure("/dev/zero", limit: 10) == "expected /dev/zero to have at most 10 bytes")
    }

    @Test("a stream may be silent as long as its writer lives, unless it has a name")
    func streams() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (end, writer) = (ends[0], ends[1])
        let path = "/dev/fd/\(end)"
        #expect(failure(path) != nil)
        let reading = Task.detached { try InputFile(path, patience: 0, asStream: true).content(limit: 100) }
        try #require(write(writer, "text", 4) == 4)
        close(writer)
        #expect(try await reading.value == Array("text".utf8))
        close(end)
        let name = directory.file("fifo")
        try #require(mkfifo(name, 0o600) == 0)
        #expect(throws: InputFailure.self) { try InputFile(name, patience: 0, asStream: true) }
    }

    @Test("reading a FIFO waits for a writer, and ends at the timeout if none writes")
    func pipes() throws {
        let path = directory.file("fifo")
        try #require(mkfifo(path, 0o600) == 0)
        #expect(failure(path)?.hasSuffix("it is a pipe, and nobody wrote into it for 0 s") == true)
        let writer = open(path, O_RDWR | O_CLOEXEC)
        try #require(writer >= 0)
        try #require(write(writer, "text", 4) == 4)
        // It stays open, so that the end never comes.
        #expect(failure(path) != nil)
        try #require(write(writer, "text", 4) == 4)
        let file = try InputFile(path)
        close(writer)
        #expect(try file.content(limit: 100) == Array("text".utf8))
    }
}
