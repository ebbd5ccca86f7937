import Glibc
import PinholeFiles
import PinholeSession
import PinholeTestKit
import Testing

@testable import PinholeCommand

@Suite("RootProgram")
struct RootProgramTests {
    private let directory: TemporaryDirectory
    private let folder: String
    private let program: String

    init() throws {
        directory = try TemporaryDirectory(prefix: "pinhole-program")
        folder = FilePath.real(directory.path) + "/bin"
        program = "\(folder)/program"
        try Folder.make(at: folder)
        try File.write([], to: program)
        chmod(program, 0o755)
    }

    private func refusal(owners: Set<uid_t> = [0, geteuid()]) throws -> CommandFailure {
        try #require(throws: CommandFailure.self) { _ = try RootProgram.checked(program, owners: owners) }
    }

    @Test("a program that its owner alone can write is started, by its path without links")
    func own() throws {
        let link = directory.file("link")
        #expect(symlink(program, link) == 0)
        #expect(try RootProgram.checked(link, owners: [0, geteuid()]) == program)
    }

    @Test("a file or a folder that others can write is refused", arguments: [mode_t(0o775), 0o757])
    func writable(mode: mode_t) throws {
        chmod(program, mode)
        #expect(try refusal().remedy == "chmod go-w \(program)")
        chmod(program, 0o755)
        chmod(folder, mode)
        #expect(try refusal().remedy == "chmod go-w \(folder)")
        chmod(folder, mode | S_ISVTX)
        #expect(try RootProgram.checked(program, owners: [0, geteuid()]) == program)
    }

    @Test("a program of another user and a missing program are refused")
    func others() throws {
        #expect(try refusal(owners: [4_000_000_001]).message.contains("belongs to another user"))
        unlink(program)
        #expect(try refusal().message.contains("could not find \(program)"))
    }
}
