import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeHTTP2

@Suite("StreamTable")
struct StreamTableTests {
    private func stream(_ id: Int32) -> HTTP2Stream {
        HTTP2Stream(id: id, tag: Int(id), window: 1, now: Timestamp(seconds: 0))
    }

    @Test("finds streams that were inserted and not removed, in any order", arguments: 0..<20)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = StreamTable()
        var present: Set<Int32> = []
        for _ in 0..<2000 {
            // Few numbers, so that cells collide and wrap around.
            let id = Int32.random(in: 0..<60, using: &random) * 16 + 1
            if let index = table.index(of: id) {
                #expect(present.contains(id) && table[index].tag == Int(id))
                if Bool.random(using: &random) {
                    table.remove(at: index)
                    present.remove(id)
                }
            } else {
                #expect(!present.contains(id))
                table.insert(stream(id))
                present.insert(id)
            }
            #expect(table.count == present.count)
        }
        #expect(table.ids == present.sorted())
        #expect(present.allSatisfy { table.index(of: $0) != nil })
    }

    @Test("finds nothing in an empty table")
    func empty() {
        #expect(StreamTable().index(of: 1) == nil)
    }
}
