import PinholeModel
import PinholeWire

/// The messages of the benchmarks: a request as a browser sends it, and a response of 1 KiB.
enum Messages {
    static let host = "www.example.com"

    static let request = head("GET /assets/logo.svg?v=3 HTTP/1.1", requestFields)
    static let absoluteRequest = head("GET http://\(host)/assets/logo.svg?v=3 HTTP/1.1", requestFields)
    static let response = responseHead + [UInt8](repeating: 0x61, count: 1024)

    private static let requestFields = [
        "Host: \(host)", "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "Accept: image/avif,image/webp,*/*", "Accept-Language: en-US,en;q=0.5", "Accept-Encoding: gzip, br",
        "Referer: https://\(host)/", "Cookie: session=0123456789abcdef", "Connection: keep-alive",
    ]
    private static let responseFields = [
        "Server: nginx/1.22.1", "Date: Fri, 21 Nov 2026 12:00:00 GMT", "Content-Type: text/plain",
        "Content-Length: 1024", "Last-Modified: Fri, 21 Nov 2026 11:00:00 GMT", "Connection: keep-alive",
        "ETag: \"6740f2a0-400\"", "Accept-Ranges: bytes",
    ]
    private static let responseHead = head("HTTP/1.1 200 OK", responseFields)

    /// The same request as fields of HTTP/2.
    static let streamRequest = fields(
        [
            (":method", "GET"), (":scheme", "http"), (":authority", "\(host):80"),
            (":path", "/assets/logo.svg?v=3"),
        ],
        requestFields
    )
    static let streamResponse = fields([(":status", "200")], responseFields)

    /// Returns fields of HTTP/2: names in lower case, without Host and Connection.
    private static func fields(_ pseudo: [(String, String)], _ lines: [String]) -> HeaderFields {
        var fields = HeaderFields()
        for (name, value) in pseudo { fields.append(name, value) }
        for line in lines where !line.hasPrefix("Host:") && !line.hasPrefix("Connection:") {
            let parts = line.split(separator: ": ", maxSplits: 1)
            fields.append(parts[0].lowercased(), String(parts[1]))
        }
        return fields
    }

    private static func head(_ startLine: String, _ fields: [String]) -> [UInt8] {
        Array((([startLine] + fields).joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Returns both heads after parsing.
    static func heads() throws -> (RequestHead, ResponseHead) {
        var input = ByteQueue(request)
        var requests = HTTP1Reader(reading: .requests, limits: Limits())
        guard case .request(let request)? = try requests.next(&input) else {
            preconditionFailure("a request")
        }
        input = ByteQueue(responseHead)
        var responses = HTTP1Reader(reading: .responses, limits: Limits())
        responses.expectResponse(toMethod: "GET")
        guard case .response(let response)? = try responses.next(&input) else {
            preconditionFailure("a response")
        }
        return (request, response)
    }

    /// Returns the record of an exchange that is over.
    static func record(_ number: Int) -> ExchangeRecord {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: Int64(number)),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: Authority(host: .name(host), port: 443),
            method: "GET",
            path: "/assets/logo.svg?v=3",
            request: MessageRecord(head: request),
            timings: ExchangeTimings(started: Timestamp(seconds: 1_000_000_000))
        )
        record.status = 200
        var answer = MessageRecord(head: responseHead)
        answer.body.inline = [UInt8](repeating: 0x61, count: 1024)
        answer.body.length = 1024
        answer.body.capturedLength = 1024
        answer.body.isComplete = true
        record.response = answer
        record.outcome = .completed
        return record
    }

    /// Returns the record of an intercepted flow that is over.
    static func flow(_ number: Int) -> FlowRecord {
        let opened = Timestamp(seconds: 1_000_000_000)
        var flow = FlowRecord(
            id: FlowID(rawValue: Int64(number)),
            opened: opened,
            client: "127.0.0.1:50123",
            listener: "127.0.0.1:8080"
        )
        flow.closed = opened + .seconds(3)
        flow.listenerKind = .http
        flow.authority = "\(host):443"
        flow.treatment = .intercepted
        flow.reason = "no rule excludes the host"
        flow.server = "192.0.2.7:443"
        flow.dials = [
            DialRecord(address: "192.0.2.7:443", started: opened, duration: .milliseconds(9), failure: nil)
        ]
        flow.clientHello = hello()
        flow.clientHandshake = handshake(with: .client, certificates: 2)
        flow.serverHandshake = handshake(with: .server, certificates: 3)
        flow.bytesFromClient = 4096
        flow.bytesFromServer = 65_536
        flow.exchanges = 3
        flow.outcome = Outcome(.completed, detail: "both sides closed")
        return flow
    }

    private static func hello() -> ClientHelloRecord {
        var hello = ClientHelloRecord()
        hello.serverName = host
        hello.applicationProtocols = ["h2", "http/1.1"]
        hello.versions = [0x0304, 0x0303]
        hello.cipherSuites = Array(0xc02b...0xc03a)
        hello.extensions = Array(0...15)
        hello.groups = [29, 23, 24, 25]
        hello.signatureSchemes = [0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0806]
        return hello
    }

    private static func handshake(with peer: Side, certificates: Int) -> HandshakeRecord {
        var handshake = HandshakeRecord(
            peer: peer,
            started: Timestamp(seconds: 1_000_000_000),
            duration: .milliseconds(12)
        )
        handshake.version = "TLSv1.3"
        handshake.cipher = "TLS_AES_128_GCM_SHA256"
        handshake.applicationProtocol = "h2"
        handshake.serverName = host
        handshake.presentedChain = (0..<certificates).map { [UInt8](repeating: UInt8($0), count: 1000) }
        handshake.validatedChain = handshake.presentedChain
        return handshake
    }
}
