import Glibc
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeFiles

/// Every way out of a folder, with openat2(2) and with the walk that replaces it.
@Suite("FileAccess")
struct FileAccessTests {
    private static let secret = "password: hunter2"

    private let directory: TemporaryDirectory
    /// The folder of the document, real and absolute.
    private let folder: String

    init() throws {
        directory = try TemporaryDirectory()
        folder = FilePath.real(directory.file("docs"))
        try Folder.make(at: directory.file("docs/sub"))
        try Folder.make(at: directory.file("more"))
        for (path, text) in [
            ("docs/a.pem", "a"), ("docs/sub/b.pem", "b"), ("docs/large", "12345678901"), ("docs/C:\\x", "c"),
            ("docs/-x", "x"), ("more/m.pem", "m"), ("secret", Self.secret),
        ] {
            try directory.write(text, to: path)
        }
        for (name, target) in [
            ("link", "sub/b.pem"), ("link-folder", "sub"), ("link-absolute", "\(folder)/a.pem"),
            ("out", "../secret"), ("out-absolute", directory.file("secret")), ("out-folder", ".."),
            ("out-missing", "../none"), ("out-more", "../more/m.pem"), ("loop", "loop"),
            ("null", "/dev/null"),
            ("proc", "/proc/self/cwd"), ("dead", "sub/none"),
        ] {
            try #require(symlink(target, directory.file("docs/\(name)")) == 0)
        }
        try #require(mkfifo(directory.file("docs/fifo"), 0o600) == 0)
    }

    /// The content of a file, or the refusal.
    private func answer(
        _ name: String,
        _ resolution: FolderSet.Resolution,
        _ added: [String] = []
    ) throws -> String {
        let folders = try FolderSet(
            directory.file("docs"),
            added.map(directory.file),
            option: "--files",
            resolution: resolution
        )
        return answer(name, .folders(folders))
    }

    private func answer(_ name: String, _ access: FileAccess) -> String {
        do throws(FileRefusal) {
            return try access.file(name, limit: 10).parsed(as: "text") { String(decoding: $0, as: UTF8.self) }
        } catch {
            return "\(error)"
        }
    }

    private static let modes: [FolderSet.Resolution] = [.automatic, .walk]

    @Test(
        "reads a regular file in the folder and below it",
        arguments: modes,
        [
            ("a.pem", "a"), ("./a.pem", "a"), ("sub/b.pem", "b"), ("sub//b.pem", "b"), ("sub/../a.pem", "a"),
            ("link", "b"), ("link-folder/b.pem", "b"), ("link-folder/../a.pem", "a"), ("link-absolute", "a"),
            ("../docs/a.pem", "a"), ("C:\\x", "c"), ("-x", "x"),
        ]
    )
    func inside(_ resolution: FolderSet.Resolution, _ item: (name: String, content: String)) throws {
        #expect(try answer(item.name, resolution) == item.content, "\(item.name)")
        #expect(try answer("\(folder)/\(item.name)", resolution) == item.content, "\(item.name)")
    }

    @Test(
        "a name that leads out of the folder is refused",
        arguments: modes,
        [
            "../secret", "sub/../../secret", "link-folder/../../secret", "out", "out-absolute",
            "out-folder/secret",
            "out-folder/docs/../secret", "null", "proc/x", "/etc/passwd", "/proc/self/environ", "/dev/stdin",
            "/dev/fd/0", "/", "..", "../..", "//etc/passwd", "sub/../../docs/../secret",
        ]
    )
    func outside(_ resolution: FolderSet.Resolution, _ name: String) throws {
        let said = try answer(name, resolution)
        #expect(said.hasPrefix("“\(name)” is outside of the folders whose files"), "\(said)")
        #expect(!said.contains("hunter2"))
    }

    @Test("an answer does not tell whether a file outside exists", arguments: modes)
    func oracle(_ resolution: FolderSet.Resolution) throws {
        for (there, missing) in [
            ("../secret", "../sicret"), ("/etc/passwd", "/etc/posswd"), ("out", "out-missing"),
            ("out-folder/secret", "out-folder/sicret"),
        ] {
            let answers = try [there, missing].map { name in
                try answer(name, resolution).replacing("“\(name)”", with: "it")
            }
            #expect(answers[0] == answers[1])
        }
    }

    @Test(
        "a name of no regular file is refused",
        arguments: modes,
        [
            ("", "cannot be the name"), ("a.pem\0", "cannot be the name"), ("\0", "cannot be the name"),
            (String(repeating: "a/", count: 3000) + "x", "cannot be the name"), (".", "it is a folder"),
            ("sub", "it is a folder"), ("sub/", "it is a folder"), ("a.pem/", "it is a folder"),
            ("link-folder", "it is a folder"), ("a.pem/x", "there is no such file"),
            ("none", "there is no such file"),
            ("loop", "there is no such file"), ("dead", "there is no such file"),
            (String(repeating: "n", count: 300), "there is no such file"),
            ("fifo", "it is a device, a pipe or a socket"),
            ("large", "to have at most 10 bytes"),
        ]
    )
    func unusable(_ resolution: FolderSet.Resolution, _ item: (name: String, word: String)) throws {
        let said = try answer(item.name, resolution)
        #expect(said.contains(item.word), "\(said)")
        #expect(said.utf8.count < 500)
    }

    @Test("a folder that the user adds is open to relative and absolute names and to links", arguments: modes)
    func added(_ resolution: FolderSet.Resolution) throws {
        for name in [
            "m.pem", "../more/m.pem", "out-more", "out-folder/more/m.pem", directory.file("more/m.pem"),
        ] {
            #expect(try answer(name, resolution, ["more"]) == "m", "\(name)")
            #expect(try answer(name, resolution) != "m", "\(name)")
        }
        #expect(try answer("../secret", resolution, ["more"]).contains("is outside"))
        #expect(try answer("../more/../secret", resolution, ["more"]).contains("is outside"))
        let parent = FilePath.real(directory.path)
        let said = try answer("../secret", resolution)
        #expect(said.hasSuffix("to allow its folder: --files \(ShellWord.quoted(parent))"), "\(said)")
        #expect(try answer("../secret", resolution, ["."]) == "expected “../secret” to have at most 10 bytes")
    }

    @Test("a document in res/xml reads resources in res/raw, unless that is a link", arguments: modes)
    func resources(_ resolution: FolderSet.Resolution) throws {
        for path in ["app/res/xml", "app/res/raw", "lib/res/xml"] {
            try Folder.make(at: directory.file(path))
        }
        try directory.write("ca", to: "app/res/raw/ca.pem")
        try #require(symlink(directory.path, directory.file("lib/res/raw")) == 0)
        func answer(_ name: String, in app: String) throws -> String {
            let folders = try FolderSet(
                directory.file("\(app)/res/xml"),
                [],
                option: "--files",
                resolution: resolution
            )
            return self.answer(name, .folders(folders))
        }
        #expect(try answer("../raw/ca.pem", in: "app") == "ca")
        #expect(try answer("../raw/../xml/none", in: "app").contains("there is no such file"))
        for name in ["../../secret", "../raw/../../secret", "ca.pem"] {
            #expect(try answer(name, in: "app") != "ca", "\(name)")
            #expect(!(try answer(name, in: "app").contains("hunter2")), "\(name)")
        }
        #expect(try answer("../raw/secret", in: "lib").contains("is outside"))
    }

    @Test("the advice names the flag at which relative names begin, where it would allow the file as well")
    func start() throws {
        let folders = try FolderSet(directory.file("docs"), [], option: "--files")
        let access = FileAccess.folders(folders).startingAtWorkingDirectory(orAt: "--root")
        let here = FilePath.workingDirectory
        for (name, advice) in [
            ("/nowhere/a b/x.pem", "--root '/nowhere/a b' or --files '/nowhere/a b'"),
            ("nowhere/x.pem", "--root . or --files \(ShellWord.quoted("\(here)/nowhere"))"),
            ("../nowhere/x.pem", "--files \(ShellWord.quoted(FilePath.absolute("../nowhere")))"),
        ] {
            #expect(
                answer(name, access).hasSuffix("; to allow its folder: \(advice)"),
                "\(answer(name, access))"
            )
        }
    }

    @Test("a folder that is replaced after it was opened changes nothing", arguments: modes)
    func replaced(_ resolution: FolderSet.Resolution) throws {
        let folders = try FolderSet(directory.file("docs"), [], option: "--files", resolution: resolution)
        try #require(rename(directory.file("docs"), directory.file("old")) == 0)
        try #require(symlink("more", directory.file("docs")) == 0)
        #expect(answer("a.pem", .folders(folders)) == "a")
        #expect(answer("m.pem", .folders(folders)).contains("there is no such file"))
    }

    @Test("without access, every name is answered alike")
    func none() {
        let access = FileAccess.none(remedy: "paste it")
        let names = ["a.pem", "/etc/passwd", "/etc/posswd", "../secret", "\(folder)/a.pem", "/dev/stdin"]
        let answers = names.map { answer($0, access).replacing("“\($0)”", with: "it") }
        #expect(
            Set(answers) == ["the document names the file it, and a document may name no file here; paste it"]
        )
    }

    @Test("a set in memory has its own files alone")
    func memory() {
        let access = FileAccess.memory(["a.pem": Array("a".utf8), "sub/b.pem": Array("b".utf8)])
        for (name, content) in [
            ("a.pem", "a"), ("./a.pem", "a"), ("sub/b.pem", "b"), ("sub/../a.pem", "a"), ("x/../a.pem", "a"),
        ] {
            #expect(answer(name, access) == content)
        }
        #expect(answer("../a.pem", access.beside("sub/c.xml")) == "a")
        #expect(answer("b.pem", access.beside("sub/c.xml")) == "b")
        for name in ["../a.pem", "/a.pem", "/etc/passwd", "sub", "secret", "\(folder)/a.pem"] {
            let said = answer(name, access)
            #expect(
                said
                    == "the document names “\(name)”, which is not among the files at hand (there are a.pem, sub/b.pem)"
            )
        }
    }

    @Test("a pattern stands for the files of a granted folder, and of no other")
    func patterns() throws {
        let folders = try FolderSet(directory.file("docs"), [], option: "--files")
        let disk = FileAccess.folders(folders)
        #expect(
            disk.names(matching: "*.pem") == ["a.pem"] && disk.names(matching: "sub/?.pem") == ["sub/b.pem"]
        )
        #expect(disk.names(matching: "\(folder)/[ab].pem") == ["\(folder)/a.pem"])
        #expect(disk.names(matching: "sub/*.conf") == [])
        for name in ["../*", "more/*", "none/*", "*/b.pem", "out-folder/*", "/etc/*", "link-folder/../../*"] {
            #expect(disk.names(matching: name) == nil, "\(name)")
        }
        let memory = FileAccess.memory(["a.pem": [], "sub/b.pem": [], "sub/.c.pem": []])
        #expect(memory.names(matching: "*") == ["a.pem"] && memory.names(matching: "sub/*") == ["sub/b.pem"])
        #expect(memory.names(matching: "none/*") == nil && memory.names(matching: "/*") == nil)
        #expect(FileAccess.none(remedy: "no").names(matching: "*") == nil)
    }

    @Test("a message about a file never has a part of it")
    func content() throws {
        struct Quoting: Error { let text: String }
        let file = try FileAccess.memory(["x": Array(Self.secret.utf8)]).file("x", limit: 100)
        let refusal = #expect(throws: FileRefusal.self) {
            try file.parsed(as: "certificates", remedy: "pinhole pins show") { bytes throws(Quoting) -> Int in
                throw Quoting(text: String(decoding: bytes, as: UTF8.self))
            }
        }
        #expect(
            refusal?.description
                == "“x”: expected certificates, found something else; to see why: pinhole pins show x"
        )
    }

    @Test("a document that is a link out of its folder is refused")
    func documents() throws {
        #expect(try DocumentFile(directory.file("docs/link")).content() == Array("b".utf8))
        for name in ["out", "out-absolute"] {
            let failure = #expect(throws: InputFailure.self) {
                try DocumentFile(directory.file("docs/\(name)"))
            }
            #expect(failure?.description.contains("is a symbolic link that leads out") == true)
        }
        let allowed = try DocumentFile(directory.file("docs/out"), allowing: [directory.path])
        #expect(try allowed.content() == Array(Self.secret.utf8))
        #expect(throws: InputFailure.self) { try DocumentFile(directory.file("docs/none")) }
        #expect(throws: InputFailure.self) {
            try DocumentFile(directory.file("docs/a.pem"), allowing: ["/nowhere/x"])
        }
        #expect(answer("a.pem", try DocumentFile(directory.file("docs/a.pem")).files) == "a")
        let piped = try DocumentFile.access(of: "-")
        #expect(answer("a.pem", piped).contains("a document may name no file here"))
        #expect(answer("a.pem", try DocumentFile.access(of: "-", allowing: [directory.file("docs")])) == "a")
        #expect(answer("a.pem", try DocumentFile.access(of: "-", startingAt: directory.file("docs"))) == "a")
    }
}
