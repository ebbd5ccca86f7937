import PinholeModel
import Testing

@Suite("ProtocolStatus")
struct ProtocolStatusTests {
    private static func exchange(
        graphQL: String? = nil,
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
            request: MessageRecord(head: []),
            timings: ExchangeTimings(started: Timestamp(microseconds: 0))
        )
        record.graphQL = graphQL
        record.status = 200
        record.outcome = .completed
        var response = MessageRecord(head: Array("HTTP/2 200\r\n\(head)\r\n".utf8))
        response.body.inline = Array(body.utf8)
        response.body.length = Int64(body.utf8.count)
        response.trailers = Array(trailers.utf8)
        record.response = response
        record.noteProtocolStatus { $0.body.inline }
        return record
    }

    @Test("the status of gRPC comes from the trailers, or from the head of a call without messages")
    func grpc() throws {
        #expect(try Self.exchange(trailers: "grpc-status: 13\r\n").protocolStatus == .grpc(13))
        #expect(try Self.exchange(head: "grpc-status: 0\r\n").protocolStatus == .grpc(0))
        #expect(try Self.exchange(head: "grpc-status: x\r\n").protocolStatus == .grpc(2), "UNKNOWN")
        #expect(try Self.exchange(trailers: "expires: 0\r\n").protocolStatus == nil)
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
        #expect(try Self.exchange(graphQL: "query Q", body: "<html>").protocolStatus == nil)
    }

    @Test(
        "an error makes an exchange fail that was completed, and does not break it",
        arguments: [
            (.grpc(0), .completed), (.grpc(5), .failed), (.graphQL(errors: 0), .completed),
            (.graphQL(errors: 1), .failed), (.webSocket(close: 1000), .completed),
            (.webSocket(close: 1001), .completed), (.webSocket(close: 1005), .completed),
            (.webSocket(close: 1002), .failed), (.webSocket(close: 4000), .failed), (nil, .completed),
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
