import Testing

@testable import PinholeHTTP2

@Suite("ClosedStreams")
struct ClosedStreamsTests {
    @Test("remembers how streams were closed, each number by itself")
    func ends() {
        var closed = ClosedStreams()
        #expect(closed[1] == nil)
        let last = Int32.max
        for (id, end) in [(1, .dropped), (3, .ended), (5, .resetByPeer), (last, .dropped)]
            as [(Int32, ClosedStreams.End)]
        {
            closed.note(end, of: id)
        }
        #expect(closed[1] == .dropped && closed[3] == .ended && closed[5] == .resetByPeer && closed[7] == nil)
        closed.note(.refused, of: 5)
        #expect(closed[5] == .refused)
        closed.note(.ended, of: last)
        #expect(closed[last] == .ended && closed[last - 2] == nil)
    }

    @Test("forgets the streams that are longest ago, and keeps as many as it has room for")
    func capacity() {
        var closed = ClosedStreams()
        for number in 0..<Int32(10_000) { closed.note(.ended, of: 2 * number + 1) }
        let known = (0..<Int32(10_000)).filter { closed[2 * $0 + 1] != nil }
        #expect(known == Array(10_000 - Int32(ClosedStreams.capacity)..<10_000))
    }

    @Test("tells omitted numbers from opened ones")
    func skipped() {
        var closed = ClosedStreams()
        for id in [3, 5, 7, 13, 11, 15] as [Int32] { closed.open(id) }
        #expect(closed.latest == 15)
        #expect(
            (0...8).map { closed.isSkipped(2 * $0 + 1) } == [
                true, false, false, false, true, true, false, false, false,
            ]
        )
        for number in 0..<Int32(1000) { closed.open(101 + 4 * number) }
        #expect(!closed.isSkipped(1) && closed.isSkipped(101 + 4 * 999 - 2))
        let ranges = (1...closed.latest).filter { $0 & 1 == 1 && closed.isSkipped($0) }
        #expect(ranges.count == ClosedStreams.rangeCapacity)
    }
}
