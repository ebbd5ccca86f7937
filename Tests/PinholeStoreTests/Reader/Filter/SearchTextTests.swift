import Testing

@testable import PinholeStore

@Suite("SearchText")
struct SearchTextTests {
    private func isFound(_ part: [UInt8], in text: [UInt8]) -> Bool {
        text.withUnsafeBytes { SearchText(part).isIn($0) }
    }

    @Test("a text is found wherever it is, in texts of any length")
    func places() {
        for count in 0..<60 {
            let text = (0..<count).map { UInt8(truncatingIfNeeded: 0x41 + $0) }
            for start in 0...count {
                for length in [0, 1, 2, 3, 15, 16, 17, 40] where start + length <= count {
                    let part = String(decoding: text[start..<(start + length)], as: UTF8.self).lowercased()
                    #expect(isFound(Array(part.utf8), in: text))
                }
            }
            #expect(!isFound([0x40], in: text))
            // Both ends are there, and what lies between is another text.
            #expect(!isFound([0x41, 0x41, 0x43], in: text))
            #expect(!isFound(text + [0x41], in: text))
        }
    }

    @Test("letters of ASCII are the same in both cases, and no other bytes")
    func folding() {
        let run = Array(repeating: UInt8(0x60), count: 50)
        #expect(!isFound([0x40], in: run))
        #expect(isFound(Array("Z{".utf8), in: run + Array("z{".utf8) + run))
        #expect(!isFound(Array("z[".utf8), in: run + Array("z{".utf8) + run))
        #expect(!isFound(Array("É".utf8), in: run + Array("é".utf8)))
        #expect(isFound(Array("É".utf8), in: run + Array("É".utf8)))
    }
}
