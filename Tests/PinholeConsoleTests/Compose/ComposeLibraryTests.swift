import Glibc
import PinholeSession
import PinholeTestKit
import Testing

@testable import PinholeConsole

@Suite("ComposeLibrary")
struct ComposeLibraryTests {
    @Test("a named pipe or a folder in the place of the file is refused at once")
    func special() throws {
        let folder = try TemporaryDirectory()
        let library = ComposeLibrary(beside: folder.file("capture"))
        #expect(try library.book() == RequestCollections())
        try #require(mkfifo(library.bookPath, 0o600) == 0)
        try #require(mkdir(library.historyPath, 0o700) == 0)
        #expect(throws: Problem.self) { try library.book() }
        #expect(throws: Problem.self) { try library.history() }
    }
}
