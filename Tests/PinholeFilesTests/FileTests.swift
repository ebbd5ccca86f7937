import Glibc
import PinholeFiles
import PinholeTestKit
import Testing

@Suite("File and Folder")
struct FileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("written values are read again, whole or from their beginning")
    func content() throws {
        let path = directory.file("a")
        try File.write([1, 2, 3], to: path)
        #expect(try File.content(of: path) == [1, 2, 3])
        #expect(try File.content(of: path, upTo: 2) == [1, 2])
        try File.write(Array("é".utf8), to: path)
        #expect(File.text(of: path) == "é")
        #expect(File.text(of: directory.file("none")) == nil)
    }

    @Test("an error is the number and the text of the system")
    func errors() throws {
        let path = directory.file("a")
        try File.write([], to: path, isNew: true)
        #expect(throws: Errno(code: EEXIST)) { try File.write([], to: path, isNew: true) }
        #expect(throws: Errno(code: EISDIR)) { try File.content(of: directory.path) }
        #expect(throws: Errno(code: ENOENT)) { try File.write([], to: directory.file("none/a")) }
        #expect(throws: Errno(code: ENOTDIR)) { try Folder.make(at: "\(path)/b") }
        #expect(throws: Errno(code: ENOTDIR)) { try Folder.make(at: path) }
        #expect(Errno(code: ENOENT).description == "No such file or directory")
    }

    @Test("the kind of a file is known, and links are followed")
    func kinds() throws {
        try File.write([], to: directory.file("a"))
        symlink(directory.path, directory.file("link"))
        symlink(directory.file("none"), directory.file("dangling"))
        #expect(File.kind(of: directory.file("a")) == .regular)
        #expect(File.kind(of: directory.file("link")) == .folder)
        #expect(File.kind(of: "/dev/null") == .special)
        #expect(File.kind(of: directory.file("dangling")) == nil)
        #expect(File.exists(at: directory.file("link")) && !File.exists(at: directory.file("dangling")))
    }

    @Test("folders are made for their owner alone, and removed with everything in them")
    func folders() throws {
        let folder = directory.file("a/b")
        try Folder.make(at: folder)
        try Folder.make(at: folder)
        for path in [directory.file("a"), folder] {
            #expect(try Descriptor(opening: path, flags: O_RDONLY).status.st_mode & 0o777 == 0o700)
        }
        try File.write([], to: "\(folder)/c")
        try File.write([1], to: directory.file("kept"))
        symlink(directory.file("kept"), "\(folder)/link")
        #expect(Set(try Folder.names(in: folder)) == ["c", "link"])
        Folder.remove(directory.file("a"))
        #expect(!File.exists(at: directory.file("a")))
        #expect(try File.content(of: directory.file("kept")) == [1])
    }
}
