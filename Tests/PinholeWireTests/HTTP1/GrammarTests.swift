import Testing

@testable import PinholeWire

@Suite("Grammar")
struct GrammarTests {
    /// What ``Grammar/firstControl(in:from:to:)`` must find, byte by byte.
    private func expected(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
        (start..<end).first { bytes[$0] < 0x20 || bytes[$0] == 0x7f } ?? end
    }

    @Test("finds every control character at every place, and takes no other byte for one")
    func everyByte() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<19 {
                var bytes = [UInt8](repeating: 0x61, count: 19)
                bytes[place] = byte
                let found = Grammar.firstControl(in: bytes.span, from: 0, to: bytes.count)
                #expect(found == expected(bytes, from: 0, to: bytes.count), "\(byte) at \(place)")
            }
        }
    }

    @Test("ends a token at every character of another class, at every place")
    func tokenEnds() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<19 {
                var bytes = [UInt8](repeating: place.isMultiple(of: 2) ? 0x2d : 0x5a, count: 19)
                bytes[place] = byte
                bytes.append(0x3a)
                let expected = Grammar.isToken(byte) ? 19 : place
                #expect(Grammar.tokenEnd(in: bytes.span, from: 0) == expected, "\(byte) at \(place)")
            }
        }
    }

    @Test("finds the first and the last of a byte, at every place")
    func oneByte() {
        for byte in [0x20, 0x09, 0x23, 0xff] as [UInt8] {
            for place in 0..<19 {
                var bytes = [UInt8](repeating: byte ^ 1, count: 19)
                #expect(Grammar.firstIndex(of: byte, in: bytes.span, from: place, to: 19) == 19)
                #expect(Grammar.lastIndex(of: byte, in: bytes.span, before: 19) == nil)
                bytes[place] = byte
                #expect(Grammar.firstIndex(of: byte, in: bytes.span, from: 0, to: 19) == place)
                #expect(Grammar.firstIndex(of: byte, in: bytes.span, from: place, to: 19) == place)
                #expect(Grammar.lastIndex(of: byte, in: bytes.span, before: 19) == place)
            }
        }
    }

    @Test("finds a byte in bytes of every length up to two vectors, and nothing behind them")
    func everyLength() {
        for count in 0...33 {
            let bytes = [UInt8](repeating: 0x61, count: count)
            for start in 0...count {
                #expect(Grammar.firstControl(in: bytes.span, from: start, to: count) == count)
                #expect(Grammar.tokenEnd(in: bytes.span, from: start) == count)
            }
            for place in 0..<count {
                var bytes = bytes
                bytes[place] = 0x20
                #expect(Grammar.pathEnd(in: bytes.span, from: 0, to: count) == place, "\(place) of \(count)")
                #expect(Grammar.tokenEnd(in: bytes.span, from: 0) == place, "\(place) of \(count)")
                #expect(Grammar.firstIndex(of: 0x20, in: bytes.span, from: 0, to: count) == place)
            }
        }
    }

    @Test("finds the first of several, between any two positions")
    func everyRange() {
        // Neighbours whose difference borrows in the arithmetic of eight bytes at a time.
        let bytes: [UInt8] = [
            0x20, 0x7e, 0xff, 0x80, 0x1f, 0x20, 0x7f, 0x80, 0xa0, 0x21, 0x9f, 0x41, 0x20, 0x20, 0x20, 0x20,
            0x20,
            0x20, 0x20, 0x20, 0x00, 0x20, 0xff, 0xfe, 0xa1, 0x61, 0x61, 0x09, 0x0d,
        ]
        for start in bytes.indices {
            for end in start...bytes.count {
                let found = Grammar.firstControl(in: bytes.span, from: start, to: end)
                #expect(found == expected(bytes, from: start, to: end), "\(start)..<\(end)")
            }
        }
    }
}
