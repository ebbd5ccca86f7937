import Glibc
import PinholeFiles
import PinholeTestKit
import Testing

@Suite("FilePath")
struct FilePathTests {
    @Test(
        "finds the folder of a path, and of a path of one letter",
        arguments: [
            ("", ""), (".", ""), ("x", ""), ("x/", ""), ("é", ""), ("..", ""), ("/", "/"), ("//", "/"),
            ("/x", "/"), ("//x", "/"), ("/x/", "/"), ("./x", "."), ("a/b", "a"), ("a//b//", "a"),
            ("/a/b", "/a"), ("/a/é/c.json", "/a/é"),
        ]
    )
    func folder(path: String, folder: String) {
        #expect(FilePath.folder(of: path) == folder)
    }

    @Test(
        "finds the name in a path",
        arguments: [
            ("", ""), ("/", ""), ("x", "x"), ("x/", "x"), ("/a/é.json", "é.json"), ("a//b//", "b"),
            ("..", ".."),
        ]
    )
    func name(path: String, name: String) {
        #expect(FilePath.name(of: path) == name)
    }

    @Test(
        "makes a path absolute, and leaves symbolic links as they are",
        arguments: [
            ("", "/w"), (".", "/w"), ("a", "/w/a"), ("./a//b/", "/w/a/b"), ("../a", "/a"), ("../../..", "/"),
            ("/a/../b/.", "/b"), ("/", "/"),
        ]
    )
    func absolute(path: String, absolute: String) {
        #expect(FilePath.absolute(path, in: "/w") == absolute)
    }

    @Test("resolves symbolic links as the system does, also in a path that does not exist")
    func real() throws {
        let directory = try TemporaryDirectory()
        let root = FilePath.real(directory.path)
        try Folder.make(at: "\(root)/a/b")
        symlink("a/b", "\(root)/link")
        symlink("a/none", "\(root)/dangling")
        symlink("circle", "\(root)/circle")
        for (path, real) in [
            ("link", "a/b"), ("link/../x", "a/x"), ("link/x/y", "a/b/x/y"), ("dangling", "a/none"),
            ("none/../x", "x"), ("circle", "circle"), ("a/./b/", "a/b"),
        ] {
            #expect(FilePath.real("\(root)/\(path)") == "\(root)/\(real)", "\(path)")
        }
        #expect(FilePath.real("") == FilePath.real(FilePath.workingDirectory))
        let long = "/" + String(repeating: "x/", count: 100_000)
        #expect(FilePath.real(long) == String(long.dropLast()))
    }
}
