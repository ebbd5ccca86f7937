import Foundation
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeCommand

@Suite(
    "Well-known types of Protocol Buffers",
    .enabled(if: Executable.find("protoc") != nil, "protoc is missing (apt install protobuf-compiler)")
)
struct WellKnownTypesTests {
    private static func read(_ files: [String: String], _ name: String) async throws -> ProtobufSchema {
        let directory = try TemporaryDirectory()
        for (name, text) in files {
            let folder = URL(fileURLWithPath: directory.file(name)).deletingLastPathComponent().path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try directory.write(text, to: name)
        }
        return try #require(try await ProtobufSchema.read([directory.file(name)]))
    }

    @Test(
        "agree with Google's own package in name, number and type",
        .enabled(if: Executable.testPython != nil, "make test prepares the packages for Python")
    )
    func same() async throws {
        let python = try #require(Executable.testPython)
        let directory = try TemporaryDirectory()
        let set = directory.file("types.pb")
        try Data(WellKnownTypes.descriptorSet).write(to: URL(fileURLWithPath: set))
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Clients/well_known_types.py").standardizedFileURL.path
        let result = try await ProcessRunner.run(
            Invocation(python, [script, set], directory: directory.path)
        )
        #expect(result.isSuccess, "\(result)")
    }

    @Test("protoc imports each file, and options of the descriptors can be extended")
    func imports() async throws {
        let names = [
            "any", "api", "compiler/plugin", "descriptor", "duration", "empty", "field_mask",
            "source_context", "struct",
            "timestamp", "type", "wrappers",
        ]
        let imports = names.map { "import \"google/protobuf/\($0).proto\";" }.joined(separator: "\n")
        let text = """
            syntax = "proto3";
            package test;
            \(imports)
            extend google.protobuf.FieldOptions { string unit = 50001; }
            message All {
              google.protobuf.Any any = 1;
              google.protobuf.Struct fields = 2;
              google.protobuf.Int64Value number = 3 [(unit) = "ms", deprecated = true];
              google.protobuf.compiler.CodeGeneratorRequest request = 4;
              google.protobuf.FieldDescriptorProto field = 5;
            }
            """
        let schema = try await Self.read(["all.proto": text], "all.proto")
        let types = [
            "Any", "Api", "Duration", "Empty", "FieldMask", "SourceContext", "Value", "Type", "BytesValue",
        ]
        for type in types { #expect(schema.hasMessage("google.protobuf.\(type)"), "\(type)") }
        #expect(schema.hasMessage("test.All") && schema.hasMessage("google.protobuf.compiler.Version"))
    }

    @Test("the user's own file has precedence")
    func own() async throws {
        let files = [
            "api/notes.proto": """
            syntax = "proto3";
            import "google/protobuf/timestamp.proto";
            message Note { google.protobuf.Moment at = 1; }
            """,
            "google/protobuf/timestamp.proto": """
            syntax = "proto3";
            package google.protobuf;
            message Moment { int64 seconds = 1; }
            """,
        ]
        let schema = try await Self.read(files, "api/notes.proto")
        #expect(schema.hasMessage("google.protobuf.Moment") && schema.hasMessage("Note"))
    }

    @Test("a descriptor set need not bring them")
    func set() async throws {
        // A file that declares nothing but `message A {}`.
        let directory = try TemporaryDirectory()
        let set = directory.file("a.pb")
        try Data([0x0a, 0x05, 0x22, 0x03, 0x0a, 0x01, 0x41]).write(to: URL(fileURLWithPath: set))
        let schema = try #require(try await ProtobufSchema.read([set]))
        #expect(schema.hasMessage("A") && schema.hasMessage("google.protobuf.Timestamp"))
    }
}
