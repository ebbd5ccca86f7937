import Foundation
import PinholeTestKit
import Testing

/// A capture that is divided into files while it is recorded.
@Suite("Rotation", .serialized)
struct RotationTests {
    @Test("a capture beyond its size becomes a file, and the list of all files has everything")
    func rotation() async throws {
        var setup = Stage.Setup()
        setup.arguments = ["--rotate", "1MB", "--keep", "3"]
        try await Stage.run(setup) { stage in
            try await blocking { for _ in 0..<4 { _ = try stage.get("/bytes/400000") } }
            let moved = try await stage.process.line(from: .errorOutput) {
                $0.contains("entries were moved to")
            }
            #expect(moved.contains("4 entries were moved to \(stage.capturePath).2"))
            try await blocking { _ = try stage.get("/json") }
            await stage.stop()
            let pinhole = try #require(Executable.pinhole)
            for (words, expected) in [([], 1), (["--rotated"], 5), (["--rotated", "--limit", "2"], 2)] {
                let result = try await ProcessRunner.run(
                    Invocation(
                        pinhole,
                        [
                            "flows", "list", "--capture", stage.capturePath, "--json",
                            "type == json | size > 1kB",
                        ]
                            + words
                    )
                )
                #expect(result.text.split(separator: "\n").count == expected, "\(words) \(result)")
            }
            let text = try await ProcessRunner.run(
                Invocation(pinhole, ["flows", "list", "--capture", stage.capturePath, "--rotated"])
            ).text
            let files = text.split(separator: "\n").filter { $0.hasPrefix(stage.capturePath) }
            #expect(files.count == 2 && files.last.map(String.init) == stage.capturePath)
        }
    }
}
