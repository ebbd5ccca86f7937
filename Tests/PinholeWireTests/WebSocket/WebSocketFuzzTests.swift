import Foundation
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

/// Mutated frames: no trap, nothing held back but a header, and the same result however they are cut.
///
/// `PINHOLE_FUZZ_ROUNDS` makes it longer, `PINHOLE_FUZZ_SEED` different.
@Suite("WebSocketFuzz")
struct WebSocketFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    static let rounds = environment["PINHOLE_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 1500
    static let seed = environment["PINHOLE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1

    /// A few good frames, some of which belong together.
    private static func frames(from sender: Side, _ random: inout SeededRandom) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var isInside = false
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let opcodes: [WebSocketOpcode] =
                isInside ? [.continuation, .continuation, .ping, .pong] : [.text, .binary, .ping, .close]
            let opcode = opcodes.randomElement(using: &random) ?? .text
            let isFinal = opcode.isControl || Bool.random(using: &random)
            if !opcode.isControl { isInside = !isFinal }
            let length = opcode == .close ? 0 : [0, 1, 5, 125].randomElement(using: &random) ?? 0
            let payload = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let key = WebSocketMaskKey(1, 2, 3, UInt8.random(in: 0...255, using: &random))
            bytes += try WebSocketWriter.frame(
                opcode,
                opcode.isControl ? payload : payload + payload,
                isFinal: isFinal,
                mask: sender == .client ? key : nil,
                from: sender
            )
        }
        return bytes
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
            default: bytes.removeSubrange(index...)
            }
        }
    }

    @Test("reads mutated frames the same however they are cut", arguments: [Side.client, .server])
    func reading(sender: Side) throws {
        var random = SeededRandom(seed: Self.seed)
        for round in 0..<Self.rounds {
            var agreement = WebSocketAgreement()
            if Bool.random(using: &random) { agreement.deflate = PermessageDeflate() }
            var bytes = try Self.frames(from: sender, &random)
            Self.mutate(&bytes, &random)
            let whole = FrameRun(bytes, chunk: max(1, bytes.count), from: sender, agreement: agreement)
            for chunk in Chunking.sizes + [Int.random(in: 2...200, using: &random)] {
                let run = FrameRun(bytes, chunk: chunk, from: sender, agreement: agreement)
                try #require(run == whole, "seed \(Self.seed), round \(round), chunk \(chunk): \(bytes)")
            }
            if whole.failure == nil { #expect(whole.rest.count < 139) }
            let read = whole.frames.reduce(whole.rest.count) { $0 + $1.head.headerLength + $1.payload.count }
            #expect(read == bytes.count)
        }
    }
}
