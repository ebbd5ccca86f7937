import Foundation
import PinholeFilter
import PinholeModel
import PinholeStore
import Testing

@Suite("CaptureStore")
struct CaptureStoreTests {
    @Test("gives back an exchange as it was recorded")
    func roundTrip() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        var record = try ExchangeRecord.sample(
            store.nextID(),
            method: "POST",
            path: "/a?b=c%20d",
            requestFields: "X: 1\r\n",
            requestBody: [0, 1, 2, 255]
        )
        record.informational = [
            Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), Array("HTTP/1.1 103\r\n\r\n".utf8),
        ]
        record.notes = [.altSvcRemoved, .answeredEarly]
        record.timings.connect = .microseconds(12)
        record.timings.tls = .microseconds(13)
        record.response?.trailers = Array("Checksum: 1\r\n".utf8)
        store.record([.exchange(record)])
        store.flush()
        let reader = try CaptureReader(path: scratch.capture)
        #expect(try reader.exchange(record.id) == record)
        #expect(try reader.exchanges(limit: 10).map(\.url) == ["https://example.com/a?b=c%20d"])
        store.close()
        #expect(try CaptureReader(path: scratch.capture).exchange(record.id) == record)
    }

    @Test(
        "reads every outcome and a running exchange as written",
        arguments: [
            nil, .completed, .answeredByProxy("502"), .aborted(by: .client, "gone"),
            .closedByClient("enough"), .abortedByUser,
            .aborted(by: .server, "reset"),
            .failed("no route"),
        ] as [ExchangeOutcome?]
    )
    func outcomes(outcome: ExchangeOutcome?) throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        defer { store.close() }
        var record = try ExchangeRecord.sample(1, authority: "[2001:db8::1]:8443")
        record.outcome = outcome
        if outcome == nil {
            record.response = nil
            record.status = nil
            record.timings = ExchangeTimings(started: epoch)
        }
        store.record([.exchange(record)])
        store.flush()
        #expect(try CaptureReader(path: scratch.capture).exchange(record.id) == record)
    }

    @Test("gives back a flow with its chains, and stores each certificate once")
    func flows() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        let chain: [[UInt8]] = [[1, 2, 3], [4, 5]]
        let flows = (1...5).map { FlowRecord.sample($0, chain: chain) } + [.failed(6)]
        store.record(flows.map { .flow($0) })
        store.close()
        // A second session finds the certificates of the first.
        let second = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        second.record([.flow(.sample(7, chain: chain))])
        second.close()
        let reader = try CaptureReader(path: scratch.capture)
        #expect(try reader.flow(FlowID(rawValue: 3)) == flows[2])
        #expect(try reader.flows(limit: 2).map(\.id.rawValue) == [7, 6])
        #expect(try reader.certificates().count == 2)
        let filter = FlowFilter(try Filter("failed"))
        #expect(try reader.flows(filter, limit: 9) == [flows[5]])
    }

    @Test("joins a long body from its parts, in order")
    func bodyParts() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        defer { store.close() }
        var record = try ExchangeRecord.sample(store.nextID(), responseBody: [0])
        var expected: [UInt8] = [0]
        for part in 1...20 {
            let bytes = [UInt8](repeating: UInt8(part), count: 70_000)
            expected += bytes
            record.response?.body.length += 70_000
            record.response?.body.capturedLength += 70_000
            store.record([.exchange(record), .bodyPart(record.id, .response, bytes)])
            if part == 10 { store.flush() }
        }
        store.record([.bodyPart(record.id, .request, [9]), .exchange(record)])
        store.flush()
        let reader = try CaptureReader(path: scratch.capture)
        let body = try reader.body(of: record, .response)
        #expect(body.count == 1_400_001)
        #expect(body == expected)
        #expect(try reader.body(of: record, .response, limit: 100_000).count == 100_000)
    }

    @Test("writes the last version of a row that is recorded several times")
    func lastCounts() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        defer { store.close() }
        var record = try ExchangeRecord.sample(1)
        for status in [200, 404, 500] {
            record.status = status
            store.record([.exchange(record)])
            if status == 404 { store.flush() }
        }
        store.flush()
        let reader = try CaptureReader(path: scratch.capture)
        #expect(try reader.exchanges(limit: 9).map(\.status) == [500])
    }

    @Test("writes waiting rows by itself")
    func timer() async throws {
        let scratch = try ScratchDirectory()
        var options = CaptureStore.Options(path: scratch.capture)
        options.flushInterval = .milliseconds(1)
        // As soon as 20 bytes wait the store is congested; so the writer's visit can be awaited.
        options.pendingBytes = 20
        let store = try CaptureStore.open(options, now: epoch)
        defer { store.close() }
        store.record([.exchange(try .sample(1))])
        await withCheckedContinuation { done in store.whenRelieved { done.resume() } }
        #expect(try CaptureReader(path: scratch.capture).exchanges(limit: 9).count == 1)
    }

    @Test("numbers continue after those of an earlier session")
    func numbers() throws {
        let scratch = try ScratchDirectory()
        let first = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        let last = (1...10).map { _ in first.nextID() }.last ?? 0
        first.close()
        let second = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        defer { second.close() }
        #expect(second.nextID() == last + 1)
    }

    @Test("creates the file for its owner alone, journal included")
    func mode() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        defer { store.close() }
        store.record([.exchange(try .sample(1))])
        store.flush()
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.capture + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("counts rows that come after closing, and leaves no journal behind")
    func closed() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record([.exchange(try .sample(1))])
        store.close()
        store.close()
        store.record([.exchange(try .sample(2))])
        #expect(store.lostEvents == 1)
        #expect(!FileManager.default.fileExists(atPath: scratch.capture + "-wal"))
        #expect(try CaptureReader(path: scratch.capture).statistics().exchanges == 1)
    }

    @Test("is read by another while it records")
    func readerBeside() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        defer { store.close() }
        let reader = try CaptureReader(path: scratch.capture)
        for id in 1...50 {
            store.record([.exchange(try .sample(Int64(id)))])
            store.flush()
            #expect(try reader.exchanges(limit: 100).count == id)
        }
    }
}
