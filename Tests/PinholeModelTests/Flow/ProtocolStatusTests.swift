import PinholeModel
import Testing

@Suite("ProtocolStatus")
struct ProtocolStatusTests {
    private static func exchange(
        graphQL: String? = nil,
        type: String = "",
        isOwn: Bool = true,
        head: String = "",
        body: String = "",
        trailers: String = ""
    ) throws -> ExchangeRecord {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: 2),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("example.test", defaultPort: 443),
            method: "POST",
            path: "/",
            request: MessageRecord(head: Array("POST / HTTP/2\r\ncontent-type: \(type)\r\n\r\n".utf8)),
            timings: ExchangeTimings(started: Timestamp(microseconds: 0))
        )
        record.graphQL = graphQL
        record.status = 200
        record.outcome = .completed
        var response = MessageRecord(head: Array("HTTP/2 200\r\n\(head)\r\n".utf8))
        response.body.inline = Array(body.utf8)
        response.body.length = Int64(body.utf8.count)
        response.body.isComplete = true
        response.trailers = Array(trailers.utf8)
        record.response = response
        record.noteProtocolStatus(isOwn: isOwn) { bytes, codings, isBase64 in
            // A coding of the tests: the bytes in reverse order.
            let plain = codings == ["reverse"] ? bytes.reversed() : bytes
            return codings == ["unknown"] ? nil : isBase64 ? Base64.decode(plain) : plain
        }
        return record
    }

    @Test("the status of gRPC comes from the trailers, or from the head of a call without messages")
    func grpc() throws {
        #expect(try Self.exchange(trailers: "grpc-status: 13\r\n").protocolStatus == .grpc(13))
        #expect(ProtocolStatus.grpc(5).trouble == "gRPC status 5 NOT_FOUND")
        #expect(ProtocolStatus.grpc(99).trouble == "gRPC status 99")
        #expect(try Self.exchange(head: "grpc-status: 0\r\n").protocolStatus == .grpc(0))
        #expect(try Self.exchange(head: "grpc-status: x\r\n").protocolStatus == .grpc(2), "UNKNOWN")
        #expect(try Self.exchange(trailers: "expires: 0\r\n").protocolStatus == nil)
    }

    @Test("a complete call of gRPC without a status failed, unless HTTP or an imported file may say why")
    func missing() throws {
        let call = try Self.exchange(type: "application/grpc+proto", body: "x")
        #expect(call.protocolStatus == .grpc(nil) && call.isFailed)
        #expect(call.protocolStatus?.trouble == "gRPC without a status")
        let other = try Self.exchange(type: "application/grpc", trailers: "expires: 0\r\n")
        #expect(other.protocolStatus == .grpc(nil))
        let early = try Self.exchange(type: "application/grpc", head: "grpc-status: 0\r\n", body: "x")
        #expect(early.protocolStatus == .grpc(0))
        #expect(try Self.exchange(type: "application/grpc", isOwn: false).protocolStatus == nil)
        for type in ["application/json", "application/grpcish", "application/grpc-web2", ""] {
            #expect(try Self.exchange(type: type, body: "x").protocolStatus == nil, "\(type)")
        }
    }

    @Test(
        "a call of gRPC-Web without trailers in its last frame has no status",
        arguments: ["\0\0\0\0\u{1}m\0\0\0\0\0", "\0\0\0\0\u{9}m", "m", ""]
    )
    func web(body: String) throws {
        #expect(try Self.exchange(type: "application/grpc-web", body: body).protocolStatus == .grpc(nil))
    }

    @Test("the status of gRPC-Web comes from its last frame, in base64 or not")
    func webText() throws {
        let fields = Array("grpc-status: 7\r\n".utf8)
        let frames = [0, 0, 0, 0, 1, 0x6d, 0x80, 0, 0, 0, UInt8(fields.count)] + fields
        let text = Base64.encode(frames)
        let call = try Self.exchange(type: "application/grpc-web-text+proto", isOwn: false, body: text)
        #expect(call.protocolStatus == .grpc(7))
    }

    @Test(
        "compressed trailers of gRPC-Web are decompressed; an unknown coding leaves the status open",
        arguments: [("reverse", .grpc(7)), ("unknown", nil), ("identity", .grpc(nil))]
            as [(String, ProtocolStatus?)]
    )
    func webCompressed(coding: String, status: ProtocolStatus?) throws {
        let fields = Array("grpc-status: 7\r\n".utf8)
        let frames = [0x81, 0, 0, 0, UInt8(fields.count)] + fields.reversed()
        let call = try Self.exchange(
            type: "application/grpc-web-text",
            head: "grpc-encoding: \(coding)\r\n",
            body: Base64.encode(frames)
        )
        #expect(call.protocolStatus == status)
    }

    @Test("errors of GraphQL are counted in responses to its requests")
    func graphQL() throws {
        let body = #"{"errors": [{"message": "a"}, {"message": "b"}], "data": null}"#
        #expect(try Self.exchange(graphQL: "query Q", body: body).protocolStatus == .graphQL(errors: 2))
        #expect(try Self.exchange(body: body).protocolStatus == nil)
        #expect(
            try Self.exchange(graphQL: "query Q", body: #"{"data": {}}"#).protocolStatus
                == .graphQL(errors: 0)
        )
        let list = #"[{"data": {}}, {"errors": [{"message": "a"}]}, 7]"#
        #expect(try Self.exchange(graphQL: "query Q", body: list).protocolStatus == .graphQL(errors: 1))
        for body in ["<html>", "[]", "{}", "[7]"] {
            #expect(try Self.exchange(graphQL: "query Q", body: body).protocolStatus == nil, "\(body)")
        }
    }

    @Test(
        "an error makes an exchange fail that was completed, and does not break it",
        arguments: [
            (.grpc(0), .completed), (.grpc(5), .failed), (.graphQL(errors: 0), .completed),
            (.graphQL(errors: 1), .failed), (.webSocket(close: 1000), .completed),
            (.webSocket(close: 1001), .completed), (.webSocket(close: 1005), .completed),
            (.webSocket(close: 1002), .failed), (.webSocket(close: 1006), .failed), (.grpc(nil), .failed),
            (.webSocket(close: 4000), .failed), (nil, .completed),
        ] as [(ProtocolStatus?, Standing)]
    )
    func standing(_ status: ProtocolStatus?, _ standing: Standing) throws {
        var record = try Self.exchange()
        record.protocolStatus = status
        #expect(record.standing == standing && !record.isBroken)
        record.outcome = .failed("reset")
        #expect(record.standing == .broken && record.isFailed)
        record.outcome = nil
        #expect(record.standing == nil)
    }
}
