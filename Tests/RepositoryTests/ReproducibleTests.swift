import Foundation
import PinholeTestKit
import Testing

/// The flags of release builds in the Makefile.
@Suite("Reproducible builds")
struct ReproducibleTests {
    /// The compiler writes the length of the file's path beside a check that a closure did not escape.
    private static let source = """
        public func lend(_ body: () -> Void, to use: (@escaping () -> Void) -> Void) {
            withoutActuallyEscaping(body) { use($0) }
        }
        """

    /// The object that a folder's source is compiled to, without the symbols for debuggers.
    private func object(in folder: TemporaryDirectory) async throws -> [UInt8] {
        let make = try #require(Executable.find("make"))
        let makefile = Repository.root.appendingPathComponent("Makefile").path
        let printed = try await ProcessRunner.run(
            Invocation(
                make,
                [
                    "-s", "-f", makefile, "--eval", "flags: ; @echo $(RELEASE_FLAGS)", "release-paths",
                    "flags",
                ],
                environment: ["MAKEFLAGS": nil, "MAKELEVEL": nil],
                directory: folder.path
            )
        )
        let words = printed.text.split { $0.isWhitespace }.map(String.init)
        // SwiftPM hands on to the compiler the words behind -Xswiftc.
        let flags = words.indices.dropFirst().filter { words[$0 - 1] == "-Xswiftc" }.map { words[$0] }
        #expect(flags.contains("-vfsoverlay"), "\(printed)")
        try folder.write(Self.source, to: "lend.swift")
        let compiled = try await ProcessRunner.run(
            Invocation(
                try #require(Executable.find("swiftc")),
                flags + ["-O", "-g", "-parse-as-library", "-module-name", "Lend", "-c"]
                    + [folder.file("lend.swift"), "-o", folder.file("lend.o")],
                directory: folder.path
            )
        )
        #expect(compiled.isSuccess, "\(compiled)")
        let stripped = try await ProcessRunner.run(
            Invocation(try #require(Executable.find("strip")), ["--strip-debug", folder.file("lend.o")])
        )
        #expect(stripped.isSuccess, "\(stripped)")
        return try folder.read("lend.o")
    }

    @Test(
        "the same source in folders whose paths differ in length is compiled to the same bytes",
        .enabled(if: ["make", "swiftc", "strip"].allSatisfy { Executable.find($0) != nil })
    )
    func folders() async throws {
        let short = try await object(in: TemporaryDirectory(prefix: "short"))
        let long = try await object(in: TemporaryDirectory(prefix: "a-name-that-is-longer"))
        #expect(!short.isEmpty && short == long)
    }
}
