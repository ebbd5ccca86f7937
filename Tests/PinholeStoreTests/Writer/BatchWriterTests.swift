import PinholeModel
import PinholeStore
import Testing

/// What belongs together is written together, or not at all.
@Suite("BatchWriter")
struct BatchWriterTests {
    @Test(
        "nothing of a left-out exchange stays, in one batch or in several",
        arguments: [true, false]
    )
    func leftOut(inOneBatch: Bool) throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        defer { store.close() }
        let gone = ExchangeID(rawValue: 2)
        let kept = ExchangeID(rawValue: 3)
        let message = WebSocketTranscriptTests.message(1, .text, [1], of: gone.rawValue)
        let batches: [[FlowEvent]] = [
            [.bodyPart(gone, .request, [1]), .bodyPart(kept, .request, [2])],
            [.bodyPiece(gone, .response, [3], epoch), .webSocketPart(gone, number: 1, [4])],
            [.webSocketMessage(message)],
            [.exchange(try .sample(kept.rawValue, flow: 1)), .leftOut(gone, [])],
        ]
        for batch in batches {
            store.record(batch)
            if !inOneBatch { store.flush() }
        }
        store.flush()
        let reader = try CaptureReader(path: scratch.capture)
        #expect(try reader.exchanges(limit: 9).map(\.id) == [kept])
        #expect(try reader.messages(of: gone, limit: 9).isEmpty)
        #expect(try reader.payload(of: message) == [1], "no part of it is there")
        for owner in [BodyOwner.request, .response] {
            try reader.bodyParts(gone, owner) { part in
                Issue.record("a part of \(part.count) bytes is left")
                return true
            }
        }
        var parts: [[UInt8]] = []
        try reader.bodyParts(kept, .request) { part in
            parts.append(part)
            return true
        }
        #expect(parts == [[2]], "what belongs to others stays")
    }

    @Test(
        "a program that is found out late is in the flow, and stays there",
        arguments: [true, false]
    )
    func clientProcess(inOneBatch: Bool) throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        defer { store.close() }
        let curl = ClientProcess(pid: 7, name: "curl", path: "/usr/bin/curl")
        let flows = (1...3).map { FlowRecord.sample($0) }
        var later = flows[1]
        later.clientProcess = curl
        later.exchanges = 5
        let batches: [[FlowEvent]] = [
            [.flow(flows[0]), .clientProcess(flows[0].id, curl)],
            [.clientProcess(flows[1].id, curl), .flow(later)],
            // One that was not recorded, and one that nobody knows.
            [.clientProcess(FlowID(rawValue: 9), curl), .flow(flows[2])],
        ]
        for event in batches.joined() {
            store.record([event])
            if !inOneBatch { store.flush() }
        }
        store.flush()
        let reader = try CaptureReader(path: scratch.capture)
        var first = flows[0]
        first.clientProcess = curl
        #expect(try reader.flows(order: .oldestFirst, limit: 9) == [first, later, flows[2]])
    }

    /// Sixteen exchanges are written with one statement, if none of them is there already.
    @Test(
        "each exchange of a batch is written as recorded last, over any older version",
        arguments: [1, 15, 16, 40],
        [[], [1], [3, 16, 17, 40]]
    )
    func manyExchanges(count: Int64, before: [Int64]) throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        defer { store.close() }
        for id in before where id <= count {
            var open = try ExchangeRecord.sample(id, flow: 1)
            open.outcome = nil
            store.record([.exchange(open)])
        }
        store.flush()
        var exchanges = try (1...count).map { try ExchangeRecord.sample($0, flow: 1) }
        for index in exchanges.indices where index % 3 == 0 {
            // What one row has must not stay for the next one.
            exchanges[index].graphQL = "query number\(index)"
            exchanges[index].request.trailers = Array("X: \(index)\r\n".utf8)
            exchanges[index].rules = [RuleHit(rule: "\(index)", kind: "delay", effect: "1 s")]
            exchanges[index].notes = [.ruled]
        }
        store.record(exchanges.map { .exchange($0) })
        store.flush()
        let reader = try CaptureReader(path: scratch.capture)
        let found = try reader.exchanges(exchanges.map(\.id)).compactMap(\.self)
        #expect(found.map(\.id) == exchanges.map(\.id))
        #expect(found.allSatisfy { $0.outcome?.kind == .completed })
        #expect(found.map(\.graphQL) == exchanges.map(\.graphQL))
        #expect(found.map(\.request) == exchanges.map(\.request))
        #expect(found.map(\.response) == exchanges.map(\.response))
        #expect(found.map(\.rules) == exchanges.map(\.rules))
        #expect(store.lostEvents == 0)
    }
}
