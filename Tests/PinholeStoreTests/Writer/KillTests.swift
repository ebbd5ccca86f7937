import Foundation
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeStore

@Suite("Kill and memory")
struct KillTests {
    @Test("kill -9 loses only unwritten rows, and the file opens without repair")
    func kill() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.capture
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try CaptureStore.open(.init(path: path), now: epoch)
            for _ in 0..<500 { store.record([.exchange(try .sample(store.nextID()))]) }
            store.flush()
            // Batches are being written while the process dies.
            for _ in 0..<3000 { store.record([.exchange(try .sample(store.nextID()))]) }
            raise(SIGKILL)
        }
        let ids = try CaptureReader(path: path).exchanges(order: .oldestFirst, limit: 9999).map(\.id.rawValue)
        #expect(ids.count >= 500)
        // Batches are whole: what is missing is the end.
        #expect(ids == Array(1...Int64(ids.count)))
        let store = try CaptureStore.open(.init(path: path), now: epoch)
        #expect(store.nextID() > Int64(ids.count))
        store.close()
        let check = try Database(path: path).rows("the file", "PRAGMA integrity_check") { row in
            try row.text(0)
        }
        #expect(check == ["ok"])
    }

    @Test("an open exchange keeps its pieces, and is ended when the capture is opened again")
    func stream() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.capture
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try CaptureStore.open(.init(path: path), now: epoch)
            var record = try ExchangeRecord.sample(store.nextID(), responseBody: [])
            record.outcome = nil
            record.timings.ended = nil
            record.response?.body.isComplete = false
            store.record([.exchange(record)])
            for piece in 1...3 {
                let time = epoch + .seconds(Int64(piece))
                store.record([.bodyPiece(record.id, .response, [UInt8](repeating: 7, count: piece), time)])
            }
            var relay = FlowRecord.sample(store.nextID())
            relay.treatment = .passedThrough
            relay.closed = nil
            relay.outcome = nil
            store.record([.flow(relay)])
            store.flush()
            raise(SIGKILL)
        }
        let reader = try CaptureReader(path: path)
        #expect(try reader.traffic(limit: 9).map(\.hasEnded) == [false, false])
        let open = try #require(try reader.exchange(ExchangeID(rawValue: 1)))
        #expect(open.outcome == nil)
        #expect(open.response?.body.length == 6)
        #expect(try reader.body(of: open, .response).count == 6)
        let arrivals = try reader.arrivals(of: open, .response)
        #expect(arrivals.map(\.offset) == [0, 1, 3])
        #expect(arrivals.map(\.time) == (1...3).map { epoch + .seconds(Int64($0)) })
        try CaptureStore.open(.init(path: path), now: epoch).close()
        let ended = try #require(try reader.exchange(ExchangeID(rawValue: 1)))
        #expect(ended.outcome == .failed("Pinhole was ended before this was over"))
        #expect(ended.timings.ended == epoch + .seconds(3))
        #expect(ended.response?.body.length == 6 && ended.response?.body.capturedLength == 6)
        #expect(try reader.exchanges(limit: 9).map { $0.response?.body.length } == [6])
        // A relay was, too, and nobody knows when it ended.
        let relay = try #require(try reader.flow(FlowID(rawValue: 2)))
        #expect(relay.outcome == Outcome(.stopped, detail: "Pinhole was ended before this was over"))
        #expect(relay.closed == relay.opened)
        #expect(try reader.traffic(limit: 9).map(\.hasEnded) == [true, true])
    }

    @Test("100,000 exchanges need no more memory than 20,000", .enabled(if: !Sanitizer.isPresent))
    func memory() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.capture
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try CaptureStore.open(.init(path: path), now: epoch)
            let body = [UInt8](repeating: 7, count: 1024)
            var early = 0
            for count in 1...100_000 {
                if count.isMultiple(of: 500) { store.flush() }
                store.record([.exchange(try .sample(store.nextID(), responseBody: body))])
                if count == 20_000 { early = residentKibibytes() }
            }
            store.close()
            exit(residentKibibytes() - early < 8 << 10 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
        #expect(try CaptureReader(path: path).statistics().exchanges == 100_000)
    }
}

private func residentKibibytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
}
