import Foundation
import PinholeLock
import Testing

@testable import PinholeCommand

@Suite("LinePrinter")
struct LinePrinterTests {
    @Test("prints everything in order, and ends when it is done")
    func order() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let printer = LinePrinter<Int>(
            to: descriptor,
            lines: { $0.filter { $0 != 3 }.map { "\($0)\n" }.joined() },
            note: { _ in }
        )
        printer.start()
        for number in 1...5 { printer.offer(number) }
        printer.finish()
        try pipe.fileHandleForWriting.close()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        #expect(String(decoding: data, as: UTF8.self) == "1\n2\n4\n5\n")
    }

    @Test("leaves out unread members, and reports their number")
    func drops() throws {
        let pipe = Pipe()
        let dropped = Lock(0)
        let printer = LinePrinter<Int>(
            to: pipe.fileHandleForWriting.fileDescriptor,
            lines: { $0.map { "\($0)\n" }.joined() },
            note: { count in dropped.withLock { $0 += count } }
        )
        // Not started yet, as if the reader were stuck.
        for number in 1...5000 { printer.offer(number) }
        printer.start()
        printer.finish()
        #expect(dropped.withLock { $0 } == 5000 - 4096)
    }
}
