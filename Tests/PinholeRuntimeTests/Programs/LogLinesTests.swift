import Testing

@testable import PinholeRuntime

@Suite("LogLines")
struct LogLinesTests {
    @Test("lines are complete, empty lines are left out, and long lines are cut", arguments: 1...9)
    func pieces(size: Int) {
        let bytes = Array("one\r\n\n\(String(repeating: "x", count: 500))\nlast".utf8)
        var log = LogLines()
        var lines: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            lines += log.take(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(lines == ["one", String(repeating: "x", count: 400)])
        #expect(log.end() == "last" && log.end() == nil)
    }
}
