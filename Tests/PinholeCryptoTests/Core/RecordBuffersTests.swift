import Testing

@testable import PinholeCrypto

@Suite("Record buffers", .serialized)
struct RecordBuffersTests {
    @Test("a buffer goes round, and is lent to one at a time")
    func goesRound() throws {
        let first = try #require(RecordBuffers.allocate(17_000))
        let second = try #require(RecordBuffers.allocate(17_000))
        #expect(first != second)
        RecordBuffers.release(second)
        #expect(RecordBuffers.allocate(18_000) == second)
        RecordBuffers.release(first)
        RecordBuffers.release(second)
    }

    @Test("a buffer has room for the longest record, however short the one was that it was made for")
    func hasRoom() throws {
        let buffer = try #require(RecordBuffers.allocate(16 << 10))
        buffer.storeBytes(of: 7, toByteOffset: (20 << 10) - 1, as: UInt8.self)
        RecordBuffers.release(buffer)
    }

    @Test(
        "what is larger or smaller comes from the heap, and grows",
        arguments: [1, 100, 16_383, 20_481, 1 << 20]
    )
    func others(size: Int) throws {
        let memory = try #require(RecordBuffers.allocate(size))
        memory.storeBytes(of: 7, as: UInt8.self)
        let larger = try #require(RecordBuffers.resize(memory, 2 * size))
        #expect(larger.load(as: UInt8.self) == 7)
        RecordBuffers.release(larger)
        RecordBuffers.release(nil)
    }

    @Test("more than are kept are given back")
    func isBounded() throws {
        let buffers = try (0..<40).map { _ in try #require(RecordBuffers.allocate(17_000)) }
        #expect(Set(buffers).count == 40)
        buffers.forEach(RecordBuffers.release)
    }
}
