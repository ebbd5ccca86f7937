import Foundation
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeStore

@Suite("ByteSource")
struct ByteSourceTests {
    @Test("reports line and column at every position, also at the border of two pieces")
    func places() throws {
        let scratch = try ScratchDirectory()
        var random = SeededRandom(seed: 7)
        var bytes: [UInt8] = []
        while bytes.count < 900 << 10 {
            bytes += repeatElement(0x61, count: Int.random(in: 0...5000, using: &random))
            bytes.append(0x0a)
        }
        try Data(bytes).write(to: URL(filePath: scratch.capture))
        let source = try ByteSource(path: scratch.capture)
        var (position, line, start) = (0, 1, 0)
        while position < bytes.count {
            #expect(source.place == TextPlace(line: Int64(line), column: Int64(position - start + 1)))
            let step = min(Int.random(in: 1...9000, using: &random), bytes.count - position)
            if Bool.random(using: &random) { _ = source.lookAhead(20) }
            #expect(source.take(step).count == step)
            for index in position..<position + step where bytes[index] == 0x0a {
                (line, start) = (line + 1, index + 1)
            }
            position += step
        }
        #expect(source.place.line == Int64(line) && source.peek == nil && source.place.line == Int64(line))
    }
}
