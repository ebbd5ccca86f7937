import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("ImportQueue")
struct ImportQueueTests {
    private static let entry =
        #"{"startedDateTime": "2026-01-02T03:04:05Z", "time": 1, "request": {"method": "GET", "url": "http://a.test/NUMBER", "headers": []}, "response": {"status": 200, "headers": [], "content": {"text": "x"}}}"#

    private func har(_ count: Int, ending: String = "]}}") -> [UInt8] {
        let entries = (0..<count).map { Self.entry.replacing("NUMBER", with: "\($0)") }
        return Array(
            (#"{"log": {"version": "1.2", "entries": ["# + entries.joined(separator: ",") + ending).utf8
        )
    }

    private func file(_ bytes: [UInt8], beside scratch: ScratchDirectory) throws -> ImportFile {
        let file = try ImportFile(beside: scratch.capture)
        try file.append(bytes[...])
        return file
    }

    /// Waits until an import is over.
    private func end(_ imports: ImportQueue, _ job: ImportJob?) async throws -> ImportJob {
        let id = try #require(job?.id)
        let ended: ImportJob? = try await Patience.poll {
            let job = try #require(imports[id])
            return job.isOver ? job : nil
        }
        return try #require(ended)
    }

    private func leftovers(_ scratch: ScratchDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter { $0.contains(".import-") }
    }

    @Test("imports files one after the other, and takes each away afterwards")
    func files() async throws {
        let scratch = try ScratchDirectory()
        let imports = ImportQueue(.file(scratch.capture))
        let first = imports.begin(
            try file(har(3), beside: scratch),
            named: "one.har",
            format: nil,
            now: epoch
        )
        let second = imports.begin(
            try file(har(2, ending: ""), beside: scratch),
            named: "two.har",
            format: nil,
            now: epoch
        )
        let whole = try await end(imports, first)
        #expect(
            whole.state == .done && whole.exchanges == 3 && whole.read == whole.bytes && whole.leftOut == 0
        )
        let cut = try await end(imports, second)
        #expect(cut.state == .failed && cut.exchanges == 2)
        // It is told by the name that people know, and so is where exchanges come from.
        #expect(cut.failure?.hasPrefix("two.har, line 1, column ") == true, "\(cut.failure ?? "")")
        #expect(
            try CaptureReader(path: scratch.capture).flows(limit: 9).allSatisfy {
                $0.reason?.hasPrefix("imported from ") == true
            }
        )
        #expect(try leftovers(scratch).isEmpty && imports.jobs.count == 2)
    }

    @Test(
        "warns if a capture came without its journal, and not if the capture is complete",
        arguments: [true, false]
    )
    func journal(isClosed: Bool) async throws {
        let scratch = try ScratchDirectory()
        let source = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: source.capture), now: epoch)
        defer { store.close() }
        store.record([.exchange(try .sample(store.nextID()))])
        store.flush()
        if isClosed { store.close() }
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: source.capture)))
        let imports = ImportQueue(.file(scratch.capture))
        let job = imports.begin(
            try file(bytes, beside: scratch),
            named: "live.sqlite",
            format: nil,
            now: epoch
        )
        let ended = try await end(imports, job)
        #expect(ended.state == .done && ended.exchanges == (isClosed ? 1 : 0))
        #expect(ended.remarks.count == (isClosed ? 0 : 1), "\(ended.remarks)")
        for remark in ended.remarks {
            #expect(remark.hasPrefix("live.sqlite may lack its newest entries"), "\(remark)")
            #expect(!remark.contains(".import-"), "\(remark)")
        }
    }

    @Test("imports during a recording, with unused numbers")
    func live() async throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        let id = ExchangeID(rawValue: store.nextID())
        store.record([.exchange(try .sample(id.rawValue))])
        let imports = ImportQueue(.live(store))
        let job = imports.begin(try file(har(20), beside: scratch), named: "in.har", format: nil, now: epoch)
        #expect(try await end(imports, job).exchanges == 20)
        let later = ExchangeID(rawValue: store.nextID())
        store.record([.exchange(try .sample(later.rawValue))])
        store.flush()
        let rows = try CaptureReader(path: scratch.capture).traffic(order: .oldestFirst, limit: 50)
        #expect(rows.count == 22 && rows.first?.id == id.rawValue && rows.last?.id == later.rawValue)
        store.close()
    }

    @Test("copies a capture, and refuses a file that is no database, and the capture itself")
    func captures() async throws {
        let (scratch, other) = (try ScratchDirectory(), try ScratchDirectory())
        for path in [scratch.capture, other.capture] {
            let store = try CaptureStore.open(
                .init(path: path),
                now: path == other.capture ? epoch : epoch + .seconds(1)
            )
            store.record([.flow(.sample(1)), .exchange(try .sample(2))])
            store.close()
        }
        let imports = ImportQueue(.file(scratch.capture))
        func take(_ path: String) async throws -> ImportJob {
            let bytes = Array(try Data(contentsOf: URL(filePath: path)))
            return try await end(
                imports,
                imports.begin(try file(bytes, beside: scratch), named: "old.sqlite", format: nil, now: epoch)
            )
        }
        #expect(try await take(other.capture).exchanges == 1)
        let same = try await take(scratch.capture)
        #expect(same.state == .failed && same.failure?.contains("old.sqlite is the same capture") == true)
        let none = try await end(
            imports,
            imports.begin(
                try file(Array("SQLite format 3\0 and nothing".utf8), beside: scratch),
                named: "none.sqlite",
                format: nil,
                now: epoch
            )
        )
        #expect(none.state == .failed && none.failure?.contains("none.sqlite") == true)
        #expect(try leftovers(scratch).isEmpty)
        #expect(try ExchangeTold.all(in: scratch.capture).count == 2)
    }

    @Test("ends when it is cancelled, and reports files without traffic")
    func cancelled() async throws {
        let scratch = try ScratchDirectory()
        let imports = ImportQueue(.file(scratch.capture))
        let job = imports.begin(
            try file(har(20_000), beside: scratch),
            named: "long.har",
            format: nil,
            now: epoch
        )
        #expect(imports.cancel(try #require(job?.id)) && !imports.cancel(99))
        let ended = try await end(imports, job)
        #expect(ended.state == .cancelled && ended.exchanges < 20_000 && ended.failure == nil)
        let xml = imports.begin(
            try file(Array("<xml/>".utf8), beside: scratch),
            named: "a.xml",
            format: nil,
            now: epoch
        )
        let refused = try await end(imports, xml)
        #expect(
            refused.state == .failed
                && refused.failure?.hasPrefix("a.xml cannot be imported: it is XML") == true
        )
    }
}
