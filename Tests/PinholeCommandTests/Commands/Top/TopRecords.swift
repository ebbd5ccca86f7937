import PinholeConsole
import PinholeModel
import PinholeSession
import Testing

@testable import PinholeCommand
@testable import PinholeStore

/// Records for tests of `pinhole top`.
enum TopRecords {
    /// 2026-11-28 02:05:23 UTC.
    static let began = Timestamp(seconds: 1_795_831_523)

    static func exchange(
        _ id: Int64,
        status: Int? = 200,
        path: String = "/item.json"
    ) throws -> ExchangeRecord {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: id + 1000),
            scheme: .https,
            authority: try Authority("example.com:443"),
            method: "GET",
            path: path,
            request: MessageRecord(head: []),
            timings: ExchangeTimings(started: began)
        )
        guard let status else { return record }
        record.status = status
        record.response = MessageRecord(head: Array("HTTP/1.1 \(status) OK\r\n\r\n".utf8))
        record.response?.body.length = 1234
        record.timings.ended = began + .microseconds(12_500)
        record.outcome = .completed
        return record
    }

    static func row(_ id: Int64, status: Int? = 200, path: String = "/item.json") throws -> TrafficRow {
        var row = TrafficRow(kind: .exchange(try exchange(id, status: status, path: path)))
        row.contentType = "application/json"
        return row
    }

    /// A connection whose client refused the certificate.
    static func failedFlow(_ id: Int64) -> FlowRecord {
        var record = FlowRecord(
            id: FlowID(rawValue: id),
            opened: began,
            client: "127.0.0.1:1",
            listener: "127.0.0.1:2"
        )
        record.authority = "example.com:443"
        var handshake = HandshakeRecord(peer: .client, started: began, duration: .milliseconds(3))
        handshake.failure = HandshakeFailure(
            .authorityNotTrusted,
            isHint: false,
            endedBy: .client,
            detail: "The client does not trust the CA."
        )
        record.clientHandshake = handshake
        record.closed = began + .milliseconds(24)
        record.outcome = Outcome(.handshakeFailed, detail: "The client does not trust the CA.")
        return record
    }

    /// An exchange of POST with its connection.
    static func record() throws -> TopRecord {
        var exchange = try exchange(3)
        exchange.method = "POST"
        exchange.request = MessageRecord(
            head: Array(
                "POST /item.json HTTP/1.1\r\nHost: example.com\r\nX-A: b\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n"
                    .utf8
            )
        )
        exchange.request.body.length = 7
        exchange.request.body.capturedLength = 7
        exchange.request.body.isComplete = true
        exchange.response = MessageRecord(
            head: Array("HTTP/1.1 200 OK\r\nServer: x\u{1b}[31m\r\n\r\n".utf8)
        )
        var flow = FlowRecord(
            id: FlowID(rawValue: 2),
            opened: began,
            client: "127.0.0.1:1",
            listener: "127.0.0.1:2"
        )
        var handshake = HandshakeRecord(peer: .server, started: began, duration: .milliseconds(9))
        handshake.version = "TLSv1.3"
        handshake.presentedChain = [[1, 2, 3]]
        flow.serverHandshake = handshake
        var record = TopRecord()
        (record.exchange, record.flow, record.messageCount) = (exchange, flow, 2)
        record.messages = ["→ 1 ms  text  5 B  hello"]
        return record
    }

    /// The state of a proxy that holds messages.
    static func proxy(isRecording: Bool = true, held: [HeldListing] = []) throws -> TopProxy {
        let text = """
            {"version":"1","proxy":["127.0.0.1:8080"],"started":"2026-11-28T02:05:23Z","isRecording":\(isRecording),
            "isReadOnly":false,"throttling":[],"capture":{"path":"p.sqlite","bytes":1,"exchanges":1,"flows":1,"spares":0,
            "first":1,"last":2},
            "commands":[{"client":"curl","command":"curl --proxy http://127.0.0.1:8080 https://example.com/"}]}
            """
        let state = try JSONValue(parsing: Array(text.utf8)).decoded(as: ConsoleState.self)
        return TopProxy(state: state, held: held)
    }

    /// A request that is held; with its content if it has fields.
    static func held(_ members: String = "") throws -> HeldListing {
        let text = """
            {"id":7,"exchange":3,"at":"request","rule":"stop","method":"GET","url":"https://example.com/","path":"/",
            "length":2,"since":"","until":"","secondsLeft":30\(members)}
            """
        return try JSONValue(parsing: Array(text.utf8)).decoded(as: HeldListing.self)
    }
}
