import Foundation
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite(
    "Files of --proto",
    .enabled(if: Executable.find("protoc") != nil, "protoc is missing (apt install protobuf-compiler)")
)
struct ProtobufSchemaFileTests {
    /// Files of two folders, of which one imports the other from the folder above them.
    private static let files = [
        "api/v1/notes.proto": """
        syntax = "proto3";
        package notes.v1;
        import "api/types/note.proto";
        import "google/protobuf/timestamp.proto";
        message AddRequest { notes.types.Note note = 1; google.protobuf.Timestamp at = 2; }
        service Notes { rpc Add (AddRequest) returns (notes.types.Note); }
        """,
        "api/types/note.proto": """
        syntax = "proto3";
        package notes.types;
        message Note { string some_text = 1; }
        """,
        "-I.proto": "syntax = \"proto3\"; message Odd { int32 size = 1; }",
        "broken.proto": "syntax = \"proto3\";\nmessage A { strin g = 1; }",
        "alone.proto": "syntax = \"proto3\";\nimport \"nowhere.proto\";",
    ]

    private static func read(_ names: [String]) async throws -> ProtobufSchema? {
        let directory = try TemporaryDirectory()
        for folder in ["api", "api/v1", "api/types"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(folder),
                withIntermediateDirectories: true
            )
        }
        for (name, text) in files { try directory.write(text, to: name) }
        return try await ProtobufSchema.read(names.map(directory.file))
    }

    @Test("imports are found from the folder above both files")
    func imports() async throws {
        let schema = try #require(try await Self.read(["api/v1/notes.proto"]))
        let method = try #require(schema.method(path: "/notes.v1.Notes/Add"))
        #expect(method.request == "notes.v1.AddRequest" && method.response == "notes.types.Note")
        #expect(schema.hasMessage("notes.types.Note") && schema.hasMessage("google.protobuf.Timestamp"))
    }

    @Test("several files are one set, and no name is an option of protoc")
    func several() async throws {
        let schema = try #require(try await Self.read(["api/types/note.proto", "-I.proto"]))
        #expect(schema.hasMessage("notes.types.Note") && schema.hasMessage("Odd"))
        #expect(try await Self.read([]) == nil)
    }

    @Test("an import that never ends is given up")
    func endless() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("syntax = \"proto3\";\nimport \"pipe.proto\";", to: "a.proto")
        #expect(mkfifo(directory.file("pipe.proto"), 0o600) == 0)
        let failure = await #expect(throws: CommandFailure.self) {
            try await ProtobufSchema.read([directory.file("a.proto")], patience: .milliseconds(100))
        }
        #expect(
            failure?.message.contains("did not come to the end") == true,
            "\(String(describing: failure))"
        )
    }

    /// Names that protoc would read as options, as files of options or as lists of folders, and names with quotes.
    private static let oddNames = [
        "-I.proto", "--version.proto", "@options.proto", "a:b.proto", "a=b.proto",
        "it's \"one\"; $(two).proto",
        "back\\slash.proto", "two\nlines.proto",
    ]

    @Test(
        "a file is read whatever its name is, and whatever the folders above it are called",
        arguments: oddNames
    )
    func oddName(name: String) async throws {
        for folder in ["plain", "a:b", "other=plain", "@folder", "-o", "it's \"one\""] {
            let directory = try TemporaryDirectory()
            for path in [folder, "\(folder)/deep", "plain"] {
                try FileManager.default.createDirectory(
                    atPath: directory.file(path),
                    withIntermediateDirectories: true
                )
            }
            try directory.write(
                "syntax = \"proto3\"; message Note { string text = 1; }",
                to: "\(folder)/note.proto"
            )
            // The import begins in the folder above the file.
            try directory.write(
                "syntax = \"proto3\"; import \"note.proto\"; message Odd { Note note = 1; }",
                to: "\(folder)/deep/\(name)"
            )
            let schema = try await ProtobufSchema.read([directory.file("\(folder)/deep/\(name)")])
            #expect(schema?.hasMessage("Odd") == true && schema?.hasMessage("Note") == true, "\(folder)")
            // A path with “..” leads to the same file.
            let again = try await ProtobufSchema.read([
                directory.file("plain/../\(folder)/deep/../deep/\(name)")
            ])
            #expect(again?.hasMessage("Odd") == true, "\(folder)")
        }
    }

    @Test("imports reach no file outside of the folders above the file", arguments: ["/", "../../", "./"])
    func outside(prefix: String) async throws {
        let directory = try TemporaryDirectory()
        try directory.write("syntax = \"proto3\"; message Other {}", to: "other.proto")
        let target = prefix == "/" ? directory.file("other.proto") : "\(prefix)other.proto"
        try directory.write("syntax = \"proto3\"; import \"\(target)\"; message A {}", to: "a.proto")
        let failure = await #expect(throws: CommandFailure.self) {
            try await ProtobufSchema.read([directory.file("a.proto")])
        }
        #expect(failure?.message.contains("a.proto:1:20: Import \"\(target)\" was not found") == true)
    }

    @Test(
        "no message quotes a file that an import leads to outside of the folder",
        arguments: [
            "syntax = \"hunter2\";", "syntax = \"proto3\"; message A { hunter2 x = 1; }",
            "import \"hunter2\";", "option hunter2 = 1;", "hunter2",
        ],
        ["link.proto", "other/key.txt"]
    )
    func quoting(content: String, name: String) async throws {
        let directory = try TemporaryDirectory()
        for folder in ["repo", "other"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(folder),
                withIntermediateDirectories: true
            )
        }
        try directory.write(content, to: "other/key.txt")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("repo/link.proto"),
            withDestinationPath: "../other/key.txt"
        )
        try directory.write("syntax = \"proto3\"; import \"\(name)\"; message A {}", to: "repo/a.proto")
        let failure = await #expect(throws: CommandFailure.self) {
            try await ProtobufSchema.read([directory.file("repo/a.proto")])
        }
        let message = try #require(failure?.message)
        #expect(!message.contains("hunter2"), "\(message)")
        let place = "a.proto:1:20: Import \"\(name)\" was not found or had errors"
        #expect(message.contains(place), "\(message)")
    }

    @Test(
        "a failure has the place and the reason",
        arguments: [
            ("broken.proto", "broken.proto:2:13: \"strin\" is not defined."),
            ("alone.proto", "alone.proto:2:1: Import \"nowhere.proto\" was not found"),
            ("none.proto", "there is no file"), ("none/none.proto", "none/none.proto"),
            ("none.pb", "could not read the descriptor set"),
        ]
    )
    func failure(name: String, reason: String) async throws {
        let failure = await #expect(throws: CommandFailure.self) { try await Self.read([name]) }
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    }
}
