import PinholeTestKit
import Testing

@testable import PinholeCommand

@Suite("The file that an audited command is about")
struct ProgramFileTests {
    @Test("the first word that names a file below the directory")
    func first() throws {
        let directory = try TemporaryDirectory(prefix: "pinhole-program")
        let app = try directory.write("print()", to: "app.py")
        func file(_ words: String...) -> String? { ProgramFile.path(of: words, below: directory.path) }
        #expect(file("python3", "app.py", "{url}") == "app.py")
        #expect(file("./app.py") == "app.py" && file(app) == "app.py")
        #expect(file("sub/../app.py") == "app.py")
        #expect(file("curl", "-s", "{url}") == nil)
        #expect(file("/bin/sh", ".", "../\(directory.path)/none", "") == nil)
        #expect(file() == nil)
    }
}
