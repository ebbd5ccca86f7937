import Testing

@testable import PinholeRuntime

@Suite("LineSplitter")
struct LineSplitterTests {
    @Test("lines are complete, however the bytes are split", arguments: 1...9)
    func pieces(size: Int) throws {
        let bytes = Array("one\r\n\ntwo\nthree".utf8)
        var splitter = LineSplitter(limit: 100)
        var lines: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            lines += try splitter.take(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["one", "", "two"])
    }

    @Test("a line without end is refused")
    func endless() throws {
        var splitter = LineSplitter(limit: 3)
        #expect(try splitter.take(Array("abc".utf8)).isEmpty)
        #expect(throws: LineSplitter.TooLong.self) { try splitter.take([0x64]) }
    }
}
