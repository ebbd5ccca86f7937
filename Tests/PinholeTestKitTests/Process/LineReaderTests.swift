import PinholeTestKit
import Testing

@Suite("LineReader")
struct LineReaderTests {
    @Test("finds the same lines in any chunks", arguments: Chunking.sizes)
    func lines(size: Int) {
        var reader = LineReader()
        Chunking.feed(Array("one\r\n\ntwo\nrést".utf8), size: size) { reader.append($0) }
        #expect(reader.lines == ["one", "", "two"])
        reader.finish()
        #expect(reader.lines == ["one", "", "two", "rést"])
    }

    @Test("makes no line of nothing")
    func nothing() {
        var reader = LineReader()
        reader.finish()
        #expect(reader.lines.isEmpty)
    }
}
