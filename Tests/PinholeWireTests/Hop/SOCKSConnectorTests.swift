import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeWire

@Suite("SOCKSConnector")
struct SOCKSConnectorTests {
    private struct Run: Equatable {
        var output: [UInt8] = []
        var isOpen = false
        var refusal: HopRefusal.Kind?
        var rest: [UInt8] = []
    }

    private static func run(
        _ answers: [UInt8],
        to authority: String = "a.test:443",
        user: String? = nil,
        chunk: Int = 4096
    ) throws -> Run {
        var connector = SOCKSConnector(
            to: try Authority(authority),
            user: user.map { Array($0.utf8) },
            password: user.map { _ in Array("pw".utf8) }
        )
        var run = Run(output: connector.greeting)
        var input = ByteQueue()
        for piece in Chunking.chunks(of: answers, size: chunk) {
            input.append(piece)
            do throws(HopRefusal) {
                run.isOpen = try connector.next(&input, into: &run.output)
            } catch {
                run.refusal = error.kind
                #expect(!error.detail.contains("pw"))
                break
            }
        }
        run.rest = input.prefix()
        return run
    }

    private static let name: [UInt8] = [5, 1, 0, 3, 6] + Array("a.test".utf8) + [1, 0xbb]
    private static let success: [UInt8] = [5, 0, 0, 1, 1, 2, 3, 4, 5, 6]

    @Test("asks for names and addresses, and leaves the server's bytes alone", arguments: Chunking.sizes)
    func opens(chunk: Int) throws {
        let run = try Self.run([5, 0] + Self.success + [9, 9], chunk: chunk)
        #expect(run == Run(output: [5, 1, 0] + Self.name, isOpen: true, rest: [9, 9]))
        let four = try Self.run([5, 0] + Self.success, to: "192.0.2.1:80", chunk: chunk)
        #expect(four.isOpen && four.output.suffix(7) == [1, 192, 0, 2, 1, 0, 80])
        let six = try Self.run(
            [5, 0, 5, 0, 0, 4] + [UInt8](repeating: 0, count: 18),
            to: "[::1]:80",
            chunk: chunk
        )
        #expect(six.isOpen && six.output.suffix(19) == [4] + [UInt8](repeating: 0, count: 15) + [1, 0, 80])
        #expect(try Self.run([5, 0, 5, 0, 0, 3, 2, 0x61, 0x62, 0, 1], chunk: chunk).isOpen)
    }

    @Test("sends the password where it is asked for, and only there", arguments: Chunking.sizes)
    func passwords(chunk: Int) throws {
        let asked = try Self.run([5, 2, 1, 0] + Self.success, user: "me", chunk: chunk)
        #expect(asked.isOpen)
        #expect(asked.output == [5, 2, 0, 2, 1, 2] + Array("me".utf8) + [2] + Array("pw".utf8) + Self.name)
        let unasked = try Self.run([5, 0] + Self.success, user: "me", chunk: chunk)
        #expect(unasked.output == [5, 2, 0, 2] + Self.name && unasked.isOpen)
        #expect(try Self.run([5, 2, 1, 1], user: "me", chunk: chunk).refusal == .authentication)
        #expect(try Self.run([5, 0xff], user: "me", chunk: chunk).refusal == .authentication)
        #expect(try Self.run([5, 0xff], chunk: chunk).refusal == .authentication)
        #expect(try Self.run([5, 2], chunk: chunk).refusal == .malformed)
    }

    @Test("distinguishes refusals from malformed answers", arguments: Chunking.sizes)
    func refusals(chunk: Int) throws {
        for code in UInt8(1)...10 {
            #expect(try Self.run([5, 0, 5, code, 0, 1, 0, 0, 0, 0, 0, 0], chunk: chunk).refusal == .refused)
        }
        for nonsense: [UInt8] in [
            Array("HTTP/1.1 400".utf8), [4], [5, 1], [5, 0, 4, 0], [5, 0, 5, 0, 0, 9],
        ] {
            #expect(try Self.run(nonsense, chunk: chunk).refusal == .malformed, "\(nonsense)")
        }
    }

    @Test("survives noise")
    func noise() throws {
        var random = SeededRandom(seed: 1929)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(try Self.run([5, 0, 5, 0] + bytes).output.count < 40)
        }
    }
}
