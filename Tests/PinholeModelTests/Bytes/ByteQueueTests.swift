import PinholeModel
import PinholeTestKit
import Testing

@Suite("ByteQueue")
struct ByteQueueTests {
    @Test("returns the inserted elements in order, after any operations")
    func model() {
        var random = SeededRandom(seed: 7)
        var queue = ByteQueue()
        var other = ByteQueue()
        var expected: [UInt8] = []
        var moved: [UInt8] = []
        for step in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...20, using: &random)).map { UInt8(($0 + step) & 0xff) }
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                queue.append(bytes)
                expected += bytes
            case 1:
                queue.append(bytes[...])
                expected += bytes
            case 2:
                queue.append("a\u{e9}")
                expected += [0x61, 0xc3, 0xa9]
            case 3:
                queue.append(9)
                expected.append(9)
            case 4:
                queue.append(capacity: 30) { span in
                    for byte in bytes { span.append(byte) }
                }
                expected += bytes
            case 5:
                let count = Int.random(in: 0...expected.count, using: &random)
                queue.move(count, to: &other)
                moved += expected.prefix(count)
                expected.removeFirst(count)
            default:
                let count = Int.random(in: 0...min(25, expected.count), using: &random)
                queue.consume(count)
                expected.removeFirst(count)
            }
            #expect(queue.prefix() == expected)
            #expect(queue.count == expected.count && queue.isEmpty == expected.isEmpty)
            if let first = expected.first { #expect(queue[0] == first && queue.bytes[0] == first) }
        }
        #expect(queue.prefix() == expected)
        #expect(other.prefix() == moved)
    }

    @Test("copies the bytes that are taken from it, and keeps its memory for itself")
    func prefixIsACopy() {
        var queue = ByteQueue()
        queue.append(capacity: 1 << 16) { _ in }
        queue.append("head")
        let all = queue.prefix()
        #expect(all == Array("head".utf8) && all.capacity < 1 << 10)
        queue.consume(4)
        #expect(queue.capacity >= 1 << 16)
    }

    @Test("does not grow with the traffic")
    func bounded() {
        var queue = ByteQueue([1, 2, 3])
        for _ in 0..<20_000 {
            queue.append([UInt8](repeating: 0, count: 100))
            queue.append("text")
            queue.append(1)
            queue.consume(105)
        }
        #expect(queue.count == 3)
        #expect(queue.capacity < 4096)
    }

    @Test("a long queue that moves in small steps takes linear work")
    func linear() {
        var queue = ByteQueue([UInt8](repeating: 1, count: 1 << 20))
        // Moving the whole queue at each step would copy 100 GB.
        for _ in 0..<100_000 {
            queue.append(2)
            queue.consume(1)
        }
        #expect(queue.count == 1 << 20)
        #expect(queue.capacity <= 4 << 20)
    }

    @Test("gives memory back when it is empty, and only then")
    func memory() {
        var queue = ByteQueue([UInt8](repeating: 1, count: 1000))
        queue.releaseIfEmpty()
        #expect(queue.count == 1000)
        queue.consume(1000)
        #expect(queue.isEmpty && queue.capacity >= 1000)
        queue.releaseIfEmpty()
        #expect(queue.capacity == 0)
    }

    @Test("slices and copies no more than is there")
    func slices() {
        var queue = ByteQueue([9, 1, 2, 3])
        queue.consume(1)
        #expect(queue.prefix(2) == [1, 2])
        #expect(queue.prefix(99) == [1, 2, 3])
        #expect(Array(queue.slice(1)) == [1])
        queue.removeAll()
        #expect(queue.prefix() == [])
    }

    @Test("consuming more than is there is a programmer's error")
    func overrun() async {
        await #expect(processExitsWith: .failure) {
            var queue = ByteQueue([1, 2])
            queue.consume(3)
        }
    }
}
