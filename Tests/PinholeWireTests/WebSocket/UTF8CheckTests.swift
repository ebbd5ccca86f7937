import PinholeTestKit
import PinholeWire
import Testing

@Suite("UTF8Check")
struct UTF8CheckTests {
    private static func check(_ bytes: [UInt8], chunk: Int) -> UTF8Check {
        var check = UTF8Check()
        for piece in Chunking.chunks(of: bytes, size: chunk) { check.receive(piece.span) }
        return check
    }

    @Test("agrees with the standard library on every pair and many sequences", arguments: [1, 3])
    func agreement(chunk: Int) {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                for bytes in [[first, second], [first, second, 0x80], [first, second, 0xbf, 0x80]] {
                    let isText = String(validating: bytes, as: UTF8.self) != nil
                    if Self.check(bytes, chunk: chunk).isComplete != isText {
                        Issue.record("\(bytes)")
                    }
                }
            }
        }
    }

    @Test("distinguishes a fault from an incomplete message")
    func incomplete() {
        #expect(Self.check([0xe2, 0x82], chunk: 1).isValid)
        #expect(!Self.check([0xe2, 0x82], chunk: 1).isComplete)
        #expect(!Self.check([0xe2, 0x28, 0xa1], chunk: 1).isValid)
        #expect(!Self.check([0xff, 0x41], chunk: 1).isValid)
    }
}
