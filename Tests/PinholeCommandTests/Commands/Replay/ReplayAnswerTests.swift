import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("ReplayAnswer")
struct ReplayAnswerTests {
    /// An exchange of 500 ms whose connection took 700 ms.
    private func record(blocked: Duration? = nil) throws -> ExchangeRecord {
        var record = try ReplayRecords.exchange("GET / HTTP/1.1\r\n\r\n")
        record.timings.blocked = blocked
        record.timings.connect = .milliseconds(300)
        record.timings.tls = .milliseconds(400)
        record.timings.responseStarted = record.timings.started + .milliseconds(100)
        return record
    }

    @Test("a connection that stood before the request takes nothing from the time of the answer")
    func setUpBefore() throws {
        #expect(ReplayAnswer(try record(), of: nil)?.duration == .milliseconds(500))
        #expect(ReplayAnswer(try record(blocked: .milliseconds(20)), of: nil)?.duration == .milliseconds(480))
    }

    @Test("a connection that was set up for the request does")
    func setUpWithin() throws {
        var record = try record()
        record.timings.connect = .milliseconds(100)
        record.timings.tls = .milliseconds(150)
        record.timings.responseStarted = record.timings.started + .milliseconds(300)
        #expect(ReplayAnswer(record, of: nil)?.duration == .milliseconds(250))
    }

    @Test("the handshake of the flow says that the connection stood before")
    func flow() throws {
        var record = try record()
        record.timings.connect = nil
        record.timings.tls = .milliseconds(50)
        var flow = FlowRecord(
            id: record.flow,
            opened: record.timings.started,
            client: "127.0.0.1:5",
            listener: "127.0.0.1:6"
        )
        #expect(ReplayAnswer(record, of: flow)?.duration == .milliseconds(450))
        flow.serverHandshake = HandshakeRecord(
            peer: .server,
            started: Timestamp(microseconds: record.timings.started.microseconds - 60_000),
            duration: .milliseconds(50)
        )
        #expect(ReplayAnswer(record, of: flow)?.duration == .milliseconds(500))
    }
}
