import PinholeTestKit
import Testing

@Suite("Chunking")
struct ChunkingTests {
    private let bytes = (0..<100).map(UInt8.init)

    @Test("loses and reorders nothing", arguments: Chunking.sizes)
    func keepsEverything(size: Int) {
        let chunks = Chunking.chunks(of: bytes, size: size)
        #expect(chunks.flatMap(\.self) == bytes)
        #expect(chunks.dropLast().allSatisfy { $0.count == size })
        #expect(chunks.allSatisfy { !$0.isEmpty })
    }

    @Test("cuts nothing into no chunks")
    func empty() {
        #expect(Chunking.chunks(of: [], size: 3).isEmpty)
    }

    @Test("cuts at the same places for the same seed")
    func seeded() {
        let cut = { (seed: UInt64) in
            var random = SeededRandom(seed: seed)
            return Chunking.chunks(of: bytes, upTo: 9, using: &random)
        }
        #expect(cut(1) == cut(1))
        #expect(cut(1) != cut(2))
        #expect(cut(1).flatMap(\.self) == bytes)
        #expect(cut(1).allSatisfy { (1...9).contains($0.count) })
    }

    @Test("feeds in order and passes errors on")
    func feeds() {
        struct Full: Error {}
        var received: [[UInt8]] = []
        #expect(throws: Full.self) {
            try Chunking.feed(bytes, size: 40) { (chunk) throws(Full) in
                guard received.count < 2 else { throw Full() }
                received.append(chunk)
            }
        }
        #expect(received == [Array(bytes[..<40]), Array(bytes[40..<80])])
    }
}
