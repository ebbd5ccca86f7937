import PinholeTestKit
import Testing

@testable import PinholeLab

@Suite("Gzip", .enabled(if: Executable.find("gzip") != nil, "gzip is not installed"))
struct GzipTests {
    private func decompressed(_ bytes: [UInt8]) async throws -> [UInt8] {
        let result = try await ProcessRunner.run(Invocation("gzip", ["-dc"], input: Gzip.compress(bytes)))
        #expect(result.isSuccess, "\(result.errorText)")
        return result.output
    }

    @Test("What is compressed comes back", arguments: [0, 1, 2, 3, 4, 255, 5000, 70_000])
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
        let text = OriginFiller.bytes(100_000)
        #expect(Gzip.compress(text).count < 2000)
        #expect(try await decompressed(text) == text)
    }
}
