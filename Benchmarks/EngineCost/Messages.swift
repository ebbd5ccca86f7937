import PinholeModel
import PinholeWire

/// What is exchanged: a request as a browser sends it, an answer of 1 KiB.
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

    /// The same request as HTTP/2 has it.
    static let streamRequest = fields(
        [
            (":method", "GET"), (":scheme", "http"), (":authority", "\(host):80"),
            (":path", "/assets/logo.svg?v=3"),
        ],
        requestFields
    )
    static let streamResponse = fields([(":status", "200")], responseFields)

    /// Fields of HTTP/2: names in lower case, without Host and Connection.
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

    /// Both heads, parsed.
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

    /// The record of an exchange that is over.
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
}
