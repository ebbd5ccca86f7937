import Foundation
import PinholeTestKit
import Testing

@Suite("Executable")
struct ExecutableTests {
    @Test("finds a program on the path")
    func finds() throws {
        let path = try #require(Executable.find("sh"))
        #expect(FileManager.default.isExecutableFile(atPath: path))
    }

    @Test("finds nothing for an unknown name")
    func findsNothing() {
        #expect(Executable.find("no-such-program-of-pinhole") == nil)
    }

    @Test("finds the pinhole that was built with the tests")
    func pinhole() throws {
        let path = try #require(Executable.pinhole)
        #expect(path.hasSuffix("/pinhole"))
    }
}
