import Foundation
import PinholeFilter
import PinholeModel
import PinholeStore
import Testing

@Suite("CaptureCopy")
struct CaptureCopyTests {
    private static let chain: [[UInt8]] = [[0x30, 1], [0x30, 2]]

    /// A capture with an exchange, a stream, a failed flow and a remark.
    private func capture(_ path: String, at moment: Timestamp) throws -> String {
        let scratch = try ScratchDirectory()
        let file = scratch.path + "/\(path)"
        let store = try CaptureStore.open(.init(path: file), now: moment)
        var stream = try ExchangeRecord.sample(3, path: "/stream")
        stream.response?.body.length += 3
        stream.response?.body.capturedLength += 3
        store.record([
            .flow(.sample(1, chain: Self.chain)), .exchange(try .sample(2)),
            .bodyPiece(stream.id, .response, [1, 2, 3], epoch + .seconds(2)), .exchange(stream),
            .flow(.failed(4)),
        ])
        store.close()
        do {
            // It is closed before the file is moved.
            let editor = try CaptureEditor(path: file)
            _ = try editor.note(3) { $0.comment = "a stream" }
            _ = try editor.note(4) { $0.isMarked = true }
        }
        let kept = NSTemporaryDirectory() + "/pinhole-\(UUID().uuidString).sqlite"
        try FileManager.default.moveItem(atPath: file, toPath: kept)
        return kept
    }

    @Test("captures are merged with all of their records, which get new numbers")
    func merged() throws {
        let target = try ScratchDirectory()
        let sources = [try capture("a", at: epoch), try capture("b", at: epoch + .seconds(9))]
        defer { for source in sources { try? FileManager.default.removeItem(atPath: source) } }
        let copy = CaptureCopy(into: target.capture, now: epoch)
        for source in sources { #expect(try copy.add(source, TrafficFilter()) == 3) }
        try copy.finish()
        let told = try ExchangeTold.all(in: target.capture)
        #expect(try told == ExchangeTold.all(in: sources[0]) + ExchangeTold.all(in: sources[1]))
        let reader = try CaptureReader(path: target.capture)
        let flows = try reader.flows(limit: 10)
        #expect(
            flows.count == 4 && flows.filter { $0.serverHandshake?.presentedChain == Self.chain }.count == 2
        )
        let rows = try reader.traffic(order: .oldestFirst, limit: 10)
        #expect(rows.map(\.note.comment) == [nil, "a stream", nil, nil, "a stream", nil])
        #expect(rows.map(\.note.isMarked) == [false, false, true, false, false, true])
        let stream = try #require(try reader.exchange(ExchangeID(rawValue: rows[4].id)))
        #expect(try reader.arrivals(of: stream, .response).map(\.time) == [epoch + .seconds(2)])
    }

    @Test("only matches of the filter are copied, with their flows")
    func filtered() throws {
        let target = try ScratchDirectory()
        let source = try capture("a", at: epoch)
        defer { try? FileManager.default.removeItem(atPath: source) }
        let copy = CaptureCopy(into: target.capture, now: epoch)
        let count = try copy.add(source, TrafficFilter(Filter(.text(.path, .contains("stream")))))
        try copy.finish()
        let reader = try CaptureReader(path: target.capture)
        #expect(try count == 1 && reader.exchanges(limit: 10).map(\.path) == ["/stream"])
        #expect(try reader.flows(limit: 10).count == 1)
    }

    @Test("captures are looked at before one is copied, and nothing found makes no capture")
    func checked() throws {
        let target = try ScratchDirectory()
        let source = try capture("a", at: epoch)
        defer { try? FileManager.default.removeItem(atPath: source) }
        let copy = CaptureCopy(into: target.capture, now: epoch)
        let missing = target.path + "/missing.sqlite"
        #expect(throws: CaptureFailure.missing(path: missing)) { try copy.check([source, missing]) }
        #expect(throws: CaptureFailure.repeated(path: source, same: source)) {
            try copy.check([source, source])
        }
        #expect(throws: CaptureFailure.notCapture(path: target.path, "it is a folder")) {
            try copy.check([target.path])
        }
        try copy.check([source])
        #expect(try copy.add(source, TrafficFilter(Filter(.number(.status, .equal, 999)))) == 0)
        try copy.finish()
        #expect(!FileManager.default.fileExists(atPath: target.capture))
    }

    @Test("a capture that is named twice, a copy of it, and the target itself are refused")
    func repeated() throws {
        let target = try ScratchDirectory()
        let source = try capture("a", at: epoch)
        let twin = source + ".copy"
        try FileManager.default.copyItem(atPath: source, toPath: twin)
        defer { for path in [source, twin] { try? FileManager.default.removeItem(atPath: path) } }
        let copy = CaptureCopy(into: target.capture, now: epoch)
        _ = try copy.add(source, TrafficFilter())
        for path in [source, twin] {
            #expect(throws: CaptureFailure.repeated(path: path, same: source)) {
                try copy.add(path, TrafficFilter())
            }
        }
        try copy.finish()
        #expect(throws: CaptureFailure.repeated(path: target.capture, same: target.capture)) {
            try CaptureCopy(into: target.capture, now: epoch).add(target.capture, TrafficFilter())
        }
    }
}
