import Foundation
import PinholeModel
import PinholeStore
import Testing

@Suite("RawExport")
struct RawExportTests {
    private func export(_ record: ExchangeRecord, _ owner: BodyOwner, parts: [[UInt8]] = []) throws -> String
    {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record([.exchange(record)] + parts.map { .bodyPart(record.id, owner, $0) })
        store.close()
        let path = scratch.path + "/raw"
        try Data().write(to: URL(filePath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        try RawExport(CaptureReader(path: scratch.capture)).write(record, owner, to: file.fileDescriptor)
        return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    @Test("writes head and body as they came")
    func plain() throws {
        let record = try ExchangeRecord.sample(1, requestFields: "x:  y \r\n", requestBody: Array("abc".utf8))
        #expect(try export(record, .request) == "GET / HTTP/1.1\r\nHost: example.com\r\nx:  y \r\n\r\nabc")
    }

    @Test("chunks a chunked body anew, with its trailers and the interim responses")
    func chunked() throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        var record = try ExchangeRecord.sample(1, responseHead: head)
        record.informational = [Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8)]
        record.response?.trailers = Array("T: 1\r\n".utf8)
        record.response?.body.length = 8
        record.response?.body.capturedLength = 8
        let whole = try export(record, .response, parts: [Array("abc".utf8)])
        #expect(
            whole == "HTTP/1.1 103 Early Hints\r\n\r\n\(head)5\r\nhello\r\n3\r\nabc\r\n0\r\nT: 1\r\n\r\n"
        )
        record.response?.body.isComplete = false
        #expect(try export(record, .response).hasSuffix("5\r\nhello\r\n"))
    }
}
