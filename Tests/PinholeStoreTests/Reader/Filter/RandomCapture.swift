import PinholeFilter
import PinholeModel
import PinholeStore
import PinholeTestKit

/// A capture by chance with records of every kind, and what each of them means without a store.
struct RandomCapture {
    /// An exchange, its flow and its bodies as they are read.
    struct Entry {
        var record: ExchangeRecord
        var flow: FlowRecord?
        var bodies: [TextField.Part: TextFacts]

        var facts: RecordFacts {
            let bodies = bodies
            return RecordFacts(exchange: record, flow: flow) { _, part in bodies[part] ?? TextFacts([]) }
        }
    }

    private(set) var exchanges: [Entry] = []
    private(set) var flows: [FlowRecord] = []
    private(set) var events: [FlowEvent] = []
    private var random: SeededRandom

    private static let plain = Array("{\"hello\": \"teapot\", \"items\": [1, 2]}".utf8)
    init(seed: UInt64, count: Int) throws {
        random = SeededRandom(seed: seed)
        var id: Int64 = 0
        while exchanges.count < count {
            id += 1
            let flow = try flow(id)
            flows.append(flow)
            events.append(.flow(flow))
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                id += 1
                // Retention may have removed the flow.
                let isOrphan = chance(10)
                try addExchange(id, isOrphan ? nil : flow)
            }
        }
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func flow(_ id: Int64) throws -> FlowRecord {
        let opened = epoch + .seconds(id)
        var flow = FlowRecord(
            id: FlowID(rawValue: id),
            opened: opened,
            client: pick(["127.0.0.1:50000", "[::1]:50001"]),
            listener: "127.0.0.1:8080"
        )
        flow.clientProcess = pick([
            nil, ClientProcess(pid: 40, name: "teapot", path: "/api/v1/teapot"),
            ClientProcess(pid: 443, name: "A", path: nil),
            ClientProcess(pid: 7, name: "GET", path: "/usr/bin/get"),
        ])
        flow.proxyUser = pick([nil, nil, "example", "A.b"])
        if chance(12) { return flow }
        flow.authority = pick([
            "example.com:443", "api.example.com:8443", "[2001:db8::1]:443", "192.0.2.1:80",
        ])
        if chance(8) { return flow }
        flow.treatment = pick([
            .intercepted, .intercepted, .intercepted, .passedThrough, .opaque, .plain, .local,
        ])
        flow.server = pick([nil, "192.0.2.7:443"])
        if flow.treatment == .intercepted {
            flow.clientHello = ClientHelloRecord()
            flow.clientHello?.serverName = pick([nil, "example.com"])
            flow.clientHello?.ja4 = pick([nil, "t13d1516h2_8daaf6152771_02713d6af862"])
            flow.clientHandshake = handshake(.client, opened)
            if chance(2) { flow.serverHandshake = handshake(.server, opened) }
            if chance(6) {
                flow.clientEnd = ClientEnd(
                    .alert,
                    alert: Alert(code: 46),
                    elapsed: .seconds(1),
                    sentData: false
                )
            }
        }
        guard !chance(5) else { return flow }
        flow.closed = opened + pick([.seconds(1), .seconds(90), .milliseconds(900)])
        flow.outcome = Outcome(
            pick([.completed, .completed, .spare, .handshakeFailed, .dialFailed, .stopped]),
            detail: "reset"
        )
        return flow
    }

    private mutating func handshake(_ peer: Side, _ started: Timestamp) -> HandshakeRecord {
        var handshake = HandshakeRecord(peer: peer, started: started, duration: .microseconds(900))
        handshake.version = pick([nil, "TLSv1.3", "TLSv1.2"])
        handshake.cipher = pick([nil, "TLS_AES_128_GCM_SHA256"])
        handshake.group = pick([nil, "x25519", "X25519MLKEM768"])
        handshake.applicationProtocol = pick([nil, "h2", "http/1.1"])
        handshake.isResumed = chance(3)
        if chance(3) {
            handshake.failure = HandshakeFailure(
                pick([.looksPinned, .authorityNotTrusted]),
                isHint: true,
                endedBy: .client,
                alert: pick([nil, Alert(code: 48)]),
                detail: "The client does not trust the CA."
            )
        }
        return handshake
    }

    private mutating func addExchange(_ id: Int64, _ flow: FlowRecord?) throws {
        let scheme = pick([Scheme.https, .https, .http])
        let port = pick([443, 80, 8443])
        let host = pick(["example.com", "api.example.com", "[2001:db8::1]", "192.0.2.1", "a.b.com"])
        let path = pick([
            "/", "/api/v1/items?q=1", "/A?b?c", "*", "/%41_b\\x", "/te'a\"pot", "/é/items", "/api", "/x?",
        ])
        let method = pick(["GET", "POST", "post", "OPTIONS"])
        let fields = pick([
            "", "X-Id: a\r\n", "Content-Type: application/grpc+proto\r\n",
            "content-type: text/plain\r\nx-id: b\r\n",
        ])
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: flow?.id ?? FlowID(rawValue: 1_000_000),
            scheme: scheme,
            authority: try Authority("\(host):\(port)"),
            method: method,
            path: path,
            request: MessageRecord(
                head: Array("\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n".utf8)
            ),
            timings: ExchangeTimings(started: epoch + .seconds(id))
        )
        record.proxyUser = pick([nil, nil, "example", "a.B", "GET"])
        record.timings.blocked = pick([nil, .microseconds(150)])
        record.timings.connect = pick([nil, .microseconds(1000)])
        record.timings.tls = pick([nil, .microseconds(900)])
        record.notes = pick([[], [.connectionReused], [.retried, .connectionReused], [.answerFolding]])
        var request = TextFacts([])
        record.request.body = .whole(pick([[], Array("hello".utf8), Self.plain]))
        if !record.request.body.inline.isEmpty { request.values = [record.request.body.inline] }
        if chance(6) { record.request.body.isComplete = false }
        let isOver = !chance(4)
        if isOver {
            record.outcome = pick([
                .completed, .completed, .completed, .answeredByProxy("blocked"),
                .aborted(by: .client, "reset"),
                .aborted(by: .server, ""), .failed("no route"),
            ])
            record.protocolStatus = pick([
                nil, nil, .grpc(0), .grpc(13), .grpc(nil), .graphQL(errors: 0), .graphQL(errors: 2),
                .webSocket(close: 1001),
                .webSocket(close: 1011),
            ])
            record.timings.ended =
                record.timings.started + pick([.microseconds(5200), .seconds(90), .milliseconds(1)])
        }
        var response = TextFacts([])
        if !chance(4) { response = addResponse(to: &record) }
        request.isComplete = isOver || record.request.body.isComplete
        response.isComplete = isOver || record.response?.body.isComplete == true
        let both = TextFacts(
            request.values + response.values,
            isComplete: request.isComplete && response.isComplete
        )
        exchanges.append(
            Entry(
                record: record,
                flow: flow,
                bodies: [.request: request, .response: response, .either: both]
            )
        )
        events.append(.exchange(record))
    }

    private mutating func addResponse(to record: inout ExchangeRecord) -> TextFacts {
        record.responseServer = pick([nil, "nginx", "Apache"])
        record.graphQL = pick([nil, "query Feed", "mutation Pay", "query feed"])
        let status = pick([200, 200, 304, 404, 503])
        let type = pick([
            "text/plain", "application/json", "image/png", "text/event-stream", "application/grpc",
        ])
        record.status = status
        record.timings.responseStarted = record.timings.started + .microseconds(900)
        var response = MessageRecord(
            head: Array("HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\n\r\n".utf8)
        )
        response.body = .whole(
            pick([[], Array("hello".utf8), Self.plain, Array(repeating: 0x61, count: 1000)])
        )
        if chance(5) { response.body.isComplete = false }
        if chance(4) { response.trailers = Array("X-Id: teapot\r\n".utf8) }
        record.response = response
        return TextFacts(response.body.inline.isEmpty ? [] : [response.body.inline])
    }
}
