import Foundation
import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@testable import PinholeConsole

/// Any value in any column of a capture: whoever reads the file gets an answer or an error, and lives on.
///
/// `PINHOLE_FUZZ_SECONDS` makes it longer, `PINHOLE_FUZZ_SEED` different.
@Suite("CaptureFuzz")
struct CaptureFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = environment["PINHOLE_FUZZ_SECONDS"].flatMap { Double($0) }
    private static let seed = environment["PINHOLE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    private static let rounds = 25

    private static let filters = [
        "failed", "tls", "tls.failed", "tls.answered", "tls.alert", "pinned", "relayed", "intercepted",
        "marked",
        "grpc | sse | asset",
        "status >= 200", "port == 443", "flow > 0", "pid > 0", "messages > 0", "size > 1",
        "request.size >= 0",
        "duration > 1ms", "firstbyte < 1s", "time > 2026-01-01", "host == example.com", "method == GET",
        "path ~ /*",
        "query contains b", "url contains example", "scheme == https", "outcome == completed",
        "error contains x",
        "client contains 1", "process ~ c*", "server contains 7", "proxy.user == anna", "comment contains l",
        "header contains text", "body contains l", "treatment == opaque", "sni == a", "alpn == h2",
        "cipher contains A",
    ]

    private static let ids: [Int64] = [1, 2, 3, 4, 5, 6, .max]

    @Test(
        "a value that Pinhole cannot have written ends no reader",
        arguments: [
            ("exchange", "scheme", "'x'"), ("exchange", "started", "9223372036854775807"),
            ("exchange", "started", "-9223372036854775808"), ("exchange", "ended", "9223372036854775807"),
            ("exchange", "request_length", "9223372036854775807"), ("exchange", "request_length", "-1"),
            ("exchange", "id", "9223372036854775807"), ("exchange", "status", "'x'"),
            ("message", "kind", "256"), ("message", "started", "9223372036854775807"),
            ("message", "number", "9223372036854775807"), ("body_part", "arrived", "-9223372036854775808"),
            ("content", "request_head", "1"), ("flow", "record", "'[1'"), ("flow", "failed", "1e300"),
            ("note", "marked", "'x'"), ("meta", "value", "9223372036854775807"), ("meta", "value", "x'00'"),
        ]
    )
    func known(_ table: String, _ column: String, _ value: String) async throws {
        let capture = try AlteredCapture()
        let places = capture.places.filter { $0.table == table && $0.column == column && $0.member == nil }
        try #require(!places.isEmpty)
        // Whoever looks for the version of the schema meets a value that is none.
        #expect(await read(try capture.altered(places.map { ($0, value) }), capture) == (table != "meta"))
    }

    @Test("any value in any column ends no reader")
    func fuzz() async throws {
        let capture = try AlteredCapture()
        var random = SeededRandom(seed: Self.seed)
        let start = ContinuousClock.now
        var (count, opened) = (0, 0)
        while count < Self.rounds || start.duration(to: .now) < .seconds(Self.seconds ?? 0) {
            var changes: [(AlteredCapture.Place, String)] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = try #require(capture.places.randomElement(using: &random))
                changes.append((place, try #require(AlteredCapture.values.randomElement(using: &random))))
            }
            // The last line before a trap says what has led to it.
            if Self.seconds != nil { FileHandle.standardError.write(Data("\(count): \(changes)\n".utf8)) }
            if await read(try capture.altered(changes), capture) { opened += 1 }
            count += 1
        }
        // Else nothing was asked of them.
        #expect(opened > count * 3 / 4, "\(opened) of \(count)")
    }

    /// Asks everything that can be asked of a capture; says whether it could be opened.
    private func read(_ path: String, _ capture: AlteredCapture) async -> Bool {
        defer { capture.remove(path) }
        let reader = try? CaptureReader(path: path)
        if let reader {
            Self.read(reader)
            Self.export(reader)
            Self.search(reader)
        }
        await Self.ask(path)
        Self.copy(path, capture)
        Self.write(path)
        return reader != nil
    }

    private static func read(_ reader: CaptureReader) {
        _ = try? reader.statistics()
        _ = try? reader.extent()
        _ = try? reader.certificates()
        _ = try? reader.hosts(TrafficFilter())
        for row in (try? reader.traffic(limit: 99)) ?? [] { _ = JSONLine.text(TrafficItemJSON(row)) }
        for flow in (try? reader.flows(limit: 99)) ?? [] { _ = JSONLine.text(FlowDetailJSON(flow)) }
        for id in ids {
            _ = try? reader.flow(FlowID(rawValue: id))
            guard let record = try? reader.exchange(ExchangeID(rawValue: id)) else { continue }
            for owner in [BodyOwner.request, .response] {
                _ = try? reader.body(of: record, owner)
                _ = try? reader.body(of: record, owner, range: 1..<30)
                _ = try? reader.arrivals(of: record, owner)
            }
            let transcript = WebSocketTranscript(of: record, in: reader)
            while let entry = try? transcript.next() { _ = entry.text }
            _ = CurlCommand(record, body: [])
        }
    }

    private static func export(_ reader: CaptureReader) {
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(nowhere) }
        for format in TrafficExport.Format.allCases {
            _ = try? TrafficExport(format: format, filter: TrafficFilter()).write(to: nowhere, from: reader)
        }
    }

    private static func search(_ reader: CaptureReader) {
        for text in filters {
            guard let filter = try? Filter(text) else { continue }
            _ = try? reader.traffic(TrafficFilter(filter), limit: 99)
        }
        for key in TrafficSort.Key.allCases {
            _ = try? reader.trafficIDs(TrafficFilter(), sortedBy: TrafficSort(key))
        }
        guard var changes = try? TrafficChanges(after: 0, in: reader) else { return }
        _ = try? changes.next(in: reader)
    }

    private static func ask(_ path: String) async {
        let subject = ConsoleSubject(capture: path, started: ConsoleStage.epoch)
        guard let api = try? ConsoleAPI(subject, limits: ConsoleLimits()) else { return }
        var targets = [
            "/api/state", "/api/traffic", "/api/traffic/index", "/api/hosts", "/api/events?after=0",
        ]
        for id in ids {
            targets += ["", "/request-body", "/response-body?decoded=1", "/messages"].map {
                "/api/traffic/\(id)\($0)"
            }
            targets.append("/api/flows/\(id)/tls")
        }
        for target in targets {
            let answer = await withCheckedContinuation { continuation in
                api.answer(ConsoleStage.request("GET", target)) { continuation.resume(returning: $0) }
            }
            guard case .source(let source, _) = answer.body else { continue }
            while await ConsoleStage.next(source).sequel == .next {}
        }
    }

    private static func copy(_ path: String, _ capture: AlteredCapture) {
        let target = path + ".copy"
        defer { capture.remove(target) }
        let copy = CaptureCopy(into: target, now: ConsoleStage.epoch)
        _ = try? copy.add(path, TrafficFilter())
        try? copy.finish()
    }

    private static func write(_ path: String) {
        if let store = try? CaptureStore.open(.init(path: path), now: ConsoleStage.epoch) {
            if let record = try? ExchangeRecord.sample(store.nextID()) { store.record([.exchange(record)]) }
            store.close()
        }
        guard let editor = try? CaptureEditor(path: path) else { return }
        _ = try? editor.note(2) { $0.comment = "seen" }
        _ = try? editor.remove([2])
        _ = try? editor.removeAll(upTo: editor.lastID())
    }
}
