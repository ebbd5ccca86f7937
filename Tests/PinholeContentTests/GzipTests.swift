import PinholeTestKit
import Testing

@testable import PinholeContent

@Suite("Gzip", .enabled(if: Executable.find("gzip") != nil, "gzip is not installed"))
struct GzipTests {
    private func decompressed(_ bytes: [UInt8]) async throws -> [UInt8] {
        let body = try #require(ContentEncoder.encode(bytes, codings: ["gzip"]))
        let result = try await ProcessRunner.run(Invocation("gzip", ["-dc"], input: body))
        #expect(result.isSuccess, "\(result.errorText)")
        return result.output
    }

    @Test("Compressed bytes are decompressed to the original", arguments: [1, 2, 3, 4, 255, 5000, 70_000])
    func roundTrip(count: Int) async throws {
        var random = SeededRandom(seed: UInt64(count))
        // Few values make matches of every length and distance likely.
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...3, using: &random) }
        #expect(try await decompressed(bytes) == bytes)
        let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(try await decompressed(noise) == noise)
    }

    @Test("Text that repeats becomes small")
    func ratio() async throws {
        let line = "The quick brown fox jumps over the lazy dog, 64 bytes a line...\n"
        let text = Array(String(repeating: line, count: 1600).utf8)
        #expect(try #require(ContentEncoder.encode(text, codings: ["gzip"])).count < 2000)
        #expect(try await decompressed(text) == text)
    }
}
