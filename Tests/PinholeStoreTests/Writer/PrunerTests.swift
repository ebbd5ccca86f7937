import Foundation
import PinholeModel
import PinholeStore
import Testing

@Suite("Retention")
struct PrunerTests {
    @Test("removes old rows, and unused certificates")
    func age() throws {
        let scratch = try ScratchDirectory()
        let first = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        first.record([.flow(.sample(1, chain: [[1]])), .bodyPart(ExchangeID(rawValue: 2), .request, [1])])
        // The store's own time goes on while the test runs: an hour lies between the old ones and the new ones.
        for id in Int64(2)...600 {
            let begin = id < 501 ? id : id + 3600
            first.record([.exchange(try .sample(id, flow: 1, after: .seconds(begin)))])
        }
        first.record([.flow(.sample(602, chain: [[2]], after: .seconds(4202)))])
        first.close()
        var options = CaptureStore.Options(path: scratch.capture)
        options.retention.maxAge = .seconds(1800)
        let second = try CaptureStore.open(options, now: epoch + .seconds(4203))
        second.flush()
        second.close()
        let reader = try CaptureReader(path: scratch.capture)
        let ids = try reader.exchanges(order: .oldestFirst, limit: 999).map(\.id.rawValue)
        #expect(ids == Array(501...600))
        #expect(try reader.flows(limit: 9).map(\.id.rawValue) == [602])
        #expect(try reader.certificates() == [[2]])
    }

    @Test("removes messages with their exchange, and old ones of a WebSocket that goes on")
    func messages() throws {
        let scratch = try ScratchDirectory()
        let first = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        first.record([.exchange(try WebSocketTranscriptTests.opening(2))])
        for number in Int64(1)...300 {
            for exchange in [Int64(2), 5] {
                var message = WebSocketTranscriptTests.message(number, .text, [1], of: exchange)
                message.started = epoch + .seconds(number)
                first.record([
                    .webSocketPart(message.exchange, number: number, [2]), .webSocketMessage(message),
                ])
            }
        }
        first.close()
        var options = CaptureStore.Options(path: scratch.capture)
        options.retention.maxAge = .seconds(100)
        let second = try CaptureStore.open(options, now: epoch + .seconds(300))
        second.flush()
        second.close()
        let reader = try CaptureReader(path: scratch.capture)
        #expect(try reader.messages(of: ExchangeID(rawValue: 2), limit: 999).isEmpty)
        let kept = try reader.messages(of: ExchangeID(rawValue: 5), limit: 999)
        #expect(kept.map(\.number) == Array(200...300) || kept.map(\.number) == Array(201...300))
        #expect(try kept.allSatisfy { try reader.payload(of: $0) == [1] })
    }

    @Test("keeps the file below its size by removing the oldest, and gives space back")
    func size() throws {
        let scratch = try ScratchDirectory()
        let body = [UInt8](repeating: 7, count: 4000)
        let first = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        for id in Int64(1)...3000 { first.record([.exchange(try .sample(id, responseBody: body))]) }
        first.close()
        var options = CaptureStore.Options(path: scratch.capture)
        options.retention.maxBytes = 4 << 20
        let second = try CaptureStore.open(options, now: epoch)
        second.flush()
        second.close()
        let reader = try CaptureReader(path: scratch.capture)
        let statistics = try reader.statistics()
        #expect(statistics.fileBytes <= 6 << 20)
        #expect((400...1100).contains(statistics.exchanges))
        #expect(try reader.exchanges(limit: 1).map(\.id.rawValue) == [3000])
    }
}
