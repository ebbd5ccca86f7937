import Testing

@Suite("Files of documents")
struct FileAccessTests {
    @Test("readers of documents open no file by themselves", arguments: FileAccessRule.targets)
    func readers(target: String) throws {
        let files = try Repository.swiftFiles(below: "Sources/\(target)")
        #expect(!files.isEmpty)
        #expect(files.flatMap(FileAccessRule.findings) == [])
    }

    @Test(
        "a way to open a file is seen",
        arguments: [
            "import Glibc", "package import Foundation", "let x = try InputFile(path)", "File.text(of: path)",
            "try InputFile.content(of: path)", "let d = open(path, O_RDONLY)", "FileManager.default",
            "fopen(x, y)",
            "try TrustBundle(path: x)", "FolderSet(x, [], option: y)", "DocumentFile(path)",
            "?? File.content(of: x)",
        ]
    )
    func seen(line: String) {
        let file = SourceFile(path: "Sources/PinholePolicies/A.swift", text: line)
        #expect(FileAccessRule.findings(in: file).count == 1)
    }

    @Test(
        "other words pass",
        arguments: [
            "import PinholeFiles", "// File.text reads", "let file = PolicyFile(kinds: [])", "reader.open(x)",
            "ReferencedFile.parsed", "opened(x)", "open.removeLast()",
        ]
    )
    func letBe(line: String) {
        let file = SourceFile(path: "Sources/PinholePolicies/A.swift", text: line)
        #expect(FileAccessRule.findings(in: file) == [])
    }
}
