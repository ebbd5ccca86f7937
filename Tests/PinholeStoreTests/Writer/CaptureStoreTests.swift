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
}
