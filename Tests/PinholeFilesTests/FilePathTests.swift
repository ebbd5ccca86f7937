import PinholeFiles
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
}
