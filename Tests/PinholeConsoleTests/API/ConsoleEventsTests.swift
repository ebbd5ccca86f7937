import Foundation
import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import Testing

@testable import PinholeConsole

@Suite("Events of the API")
struct ConsoleEventsTests {
    /// An event stream that a page reads.
    private struct Page {
        let source: any BodySource

        init(_ stage: ConsoleStage, _ target: String = "/api/events", last: String? = nil) async throws {
            let fields = last.map { [("Last-Event-ID", $0)] } ?? []
            let answer = await withCheckedContinuation { continuation in
                stage.api.answer(ConsoleStage.request("GET", target, fields: fields)) {
                    continuation.resume(returning: $0)
                }
            }
            #expect(answer.fields.contains { $0 == ("Content-Type", "text/event-stream") })
            guard case .source(let source, nil) = answer.body else { throw CancellationError() }
            self.source = source
        }

        /// The next batch.
        func read() async -> String {
            let piece = await ConsoleStage.next(source)
            switch piece.sequel {
            case .pause(let duration): #expect(duration <= .milliseconds(150))
            case .wait(let duration): #expect(piece.bytes.isEmpty && duration <= .seconds(1))
            case .next, .end, .failure: Issue.record("\(piece.sequel)")
            }
            let text = String(decoding: piece.bytes, as: UTF8.self)
            // A machine that is busy may be silent for long enough to be told so.
            return text == ": still here\n\n" ? "" : text
        }

        /// Reads until the stream waits, and returns the numbers that it tells.
        @discardableResult
        func untilItWaits() async throws -> [Int] {
            var ids: [Int] = []
            while true {
                let piece = await ConsoleStage.next(source)
                ids += try ConsoleEventsTests.ids(String(decoding: piece.bytes, as: UTF8.self))
                if case .wait = piece.sequel { return ids }
            }
        }

        /// The numbers that the next batch tells.
        func ids() async throws -> [Int] { try ConsoleEventsTests.ids(await read()) }
    }

    private static func ids(_ text: String) throws -> [Int] {
        let blocks = text.components(separatedBy: "\n\n").filter { $0.hasPrefix("event: traffic") }
        return try blocks.compactMap { block in
            let data = Data(block.drop { $0 != "{" }.utf8)
            return (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["id"] as? Int
        }
    }

    private static func id(_ text: String) -> String? {
        text.components(separatedBy: "\n").last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }

    @Test("a stream more than there may be is refused, until one ends")
    func bound() async throws {
        let stage = try ConsoleStage([])
        var pages: [Page] = []
        for _ in 0..<ConsoleLimits().streams { pages.append(try await Page(stage)) }
        let refused = await stage.ask("GET", "/api/events")
        #expect(refused.status == 503 && refused.text.contains("16 streams of events are open already"))
        // A stream that ends twice gives one place back.
        pages.removeLast().source.cancel()
        pages.append(try await Page(stage))
        #expect(await stage.ask("GET", "/api/events").status == 503)
        withExtendedLifetime(pages) {}
    }

    @Test("new items are sent, open ones when they change, and none twice")
    func live() async throws {
        let stage = try ConsoleStage([.exchange(try .sample(2))])
        let page = try await Page(stage)
        let first = await page.read()
        #expect(try Self.ids(first) == [] && first.contains("event: state\n") && first.contains("retry: "))
        #expect(first.contains("event: begin\ndata: {\"after\":1}\n"))
        #expect(await page.read().isEmpty)
        stage.store.record([
            .exchange(try .sample(3, status: nil)),
            .flow(.sample(4, failed: true, closed: stage.api.clock.now())),
        ])
        stage.store.flush()
        #expect(try await page.ids() == [3, 4])
        stage.store.record([.exchange(try .sample(3)), .exchange(try .sample(5))])
        stage.store.flush()
        #expect(try await page.ids() == [3, 5])
        stage.store.record([.flow(.sample(6))])
        stage.store.flush()
        #expect(try await page.ids() == [])
    }

    @Test("a relay causes one event at its beginning and one at its end")
    func relay() async throws {
        let stage = try ConsoleStage([.exchange(try .sample(2))])
        let page = try await Page(stage)
        _ = await page.read()
        var relay = FlowRecord.sample(3)
        relay.treatment = .passedThrough
        relay.closed = nil
        relay.outcome = nil
        stage.store.record([.flow(relay)])
        stage.store.flush()
        #expect(try await page.ids() == [3])
        let list = try await stage.ask("GET", "/api/traffic?filter=running").json()
        #expect((list["items"] as? [[String: Any]])?.map { $0["id"] as? Int } == [3])
        stage.store.record([.exchange(try .sample(4))])
        stage.store.flush()
        #expect(try await page.ids() == [4])
        relay.closed = stage.api.clock.now()
        relay.outcome = Outcome(.completed, detail: "done")
        stage.store.record([.flow(relay)])
        stage.store.flush()
        #expect(try await page.ids() == [3])
        #expect(try await page.ids() == [])
    }

    @Test("a page that reconnects gets the events after its last one")
    func resuming() async throws {
        let stage = try ConsoleStage([.exchange(try .sample(2, status: nil))])
        let page = try await Page(stage)
        let place = try #require(Self.id(await page.read()))
        let soon = stage.api.clock.now() + .seconds(600)
        stage.store.record([
            .exchange(try .sample(2, started: soon)), .exchange(try .sample(3)),
            .flow(.sample(4, treatment: .passedThrough, closed: soon)),
        ])
        stage.store.flush()
        #expect(try await Page(stage, last: place).ids() == [2, 3, 4])
        #expect(try await Page(stage, "/api/events?after=1").ids() == [2, 3, 4])
        #expect(try await Page(stage, "/api/events?after=2").ids() == [3, 4])
        #expect(try await Page(stage).ids() == [])
    }

    @Test("only matches of a filter are printed")
    func filter() async throws {
        let stage = try ConsoleStage()
        let page = try await Page(stage, "/api/events?filter=shop")
        _ = await page.read()
        stage.store.record([.exchange(try .sample(2)), .exchange(try .sample(3, host: "shop.example:443"))])
        stage.store.flush()
        #expect(try await page.ids() == [3])
    }

    @Test("a page that has not read for long gets the missed events in pieces, or an event to reload")
    func sleeping() async throws {
        let stage = try ConsoleStage()
        let page = try await Page(stage)
        _ = await page.read()
        stage.store.record(try (1...1200).map { .exchange(try .sample($0)) })
        stage.store.flush()
        #expect(try await page.ids() == Array(1...500))
        #expect(try await page.ids() == Array(501...1000))
        #expect(try await page.ids() == Array(1001...1200))
        stage.store.record(try (2000...22_000).map { .exchange(try .sample($0)) })
        stage.store.flush()
        let text = await page.read()
        #expect(text.contains("event: reload\ndata: {\"isBehind\":true}\n\n"))
        #expect(try Self.ids(text) == [])
    }

    @Test("manual changes are sent to every page")
    func edits() async throws {
        let stage = try ConsoleStage([.exchange(try .sample(2)), .exchange(try .sample(3))])
        let pages = [try await Page(stage), try await Page(stage)]
        for page in pages { _ = await page.read() }
        _ = await stage.ask("PATCH", "/api/traffic/3", #"{"isMarked": true}"#)
        for page in pages { #expect(try await page.ids() == [3]) }
        _ = await stage.ask("DELETE", "/api/traffic?ids=2")
        for page in pages {
            #expect(await page.read().contains("event: reload\ndata: {\"isBehind\":false}\n\n"))
        }
    }

    @Test("rows that retention removed are reported")
    func gone() async throws {
        let stage = try ConsoleStage([.exchange(try .sample(2)), .exchange(try .sample(3))])
        let page = try await Page(stage)
        _ = await page.read()
        let editor = try CaptureEditor(path: stage.api.subject.capture)
        try editor.removeAll(upTo: 2)
        #expect(await page.read().contains("event: gone\ndata: {\"upTo\":2}\n\n"))
    }

    @Test("every kind of change wakes a waiting event stream, but not a cancelled one")
    func wakes() async throws {
        let stage = try ConsoleStage([.exchange(try .sample(2))], knowsStore: true)
        let page = try await Page(stage)
        let changes: [() throws -> Void] = [
            { stage.store.record([.exchange(try .sample(3))]) },
            { stage.api.filterChanges.raise() },
            { stage.api.settingChanges.raise() },
        ]
        for change in changes {
            try await page.untilItWaits()
            try change()
            // Each signal may call the action, so it may be called more than once.
            let (woken, end) = AsyncStream.makeStream(of: Void.self)
            page.source.wake { end.yield() }
            for await _ in woken { break }
        }
        try await page.untilItWaits()
        #expect(stage.store.changes.isHeard)
        page.source.cancel()
        #expect(!stage.store.changes.isHeard)
        // An answer that comes too late for its client is dropped.
        for _ in 0..<2 { _ = try await Page(stage) }
        #expect(!stage.store.changes.isHeard)
    }

    @Test("changes that a filter leaves out do not hold back others behind them")
    func leftOut() async throws {
        let stage = try ConsoleStage()
        let page = try await Page(stage, "/api/events?filter=shop")
        try await page.untilItWaits()
        stage.store.record(try (1...1700).map { .exchange(try .sample($0)) })
        stage.store.record([.exchange(try .sample(2000, host: "shop.example:443"))])
        stage.store.flush()
        #expect(try await page.untilItWaits() == [2000])
    }

    @Test("a long removal orders one reading of lists a second, and one after its end")
    func reloads() async throws {
        let stage = try ConsoleStage(try (2...9).map { .exchange(try .sample($0)) })
        let page = try await Page(stage)
        try await page.untilItWaits()
        let editor = try CaptureEditor(path: stage.api.subject.capture)
        let began = ContinuousClock.now
        var orders = 0
        var isTold = false
        for id in Int64(2)...8 {
            try editor.remove([id])
            isTold = await page.read().contains("event: reload")
            orders += isTold ? 1 : 0
        }
        let seconds = Int((ContinuousClock.now - began).components.seconds)
        #expect(1...(1 + seconds) ~= orders)
        while !isTold, ContinuousClock.now - began < Patience.limit {
            isTold = await page.read().contains("event: reload")
        }
        #expect(isTold)
    }
}
