package import PinholeModel
package import PinholeStore

/// The details of an exchange.
package struct ExchangeDetailJSON: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("timings", "Milliseconds by stage."),
        FieldJSON("stream", "The messages of a stream."),
        FieldJSON("advice", "Advice about the outcome."),
    ]

    /// A body without its bytes: lengths, media type and content coding.
    struct Body: Codable {
        let length: Int64
        let captured: Int64
        let isComplete: Bool
        let type: String?
        let encoding: String?

        init(_ record: MessageRecord) {
            length = record.body.length
            captured = record.body.capturedLength
            isComplete = record.body.isComplete
            let fields = record.fields
            type = fields.first("content-type")
            encoding = fields.first("content-encoding")
        }
    }

    /// A request or a response.
    struct Message: Codable, DescribedMembers {
        static let described: [FieldJSON] = [
            FieldJSON("head", "The head as Latin-1, which keeps every byte."),
            FieldJSON("bodyBase64", format: .base64),
        ]

        let head: String
        let bodyBytes: Int64
        let recordedBytes: Int64
        let isComplete: Bool
        let body: Body
        let bodyBase64: String?
        let trailers: String?

        init(_ record: MessageRecord, body: [UInt8]?) {
            self.body = Body(record)
            // Latin-1 preserves every byte (RFC 9112 §2.2).
            head = String(String.UnicodeScalarView(record.head.map { Unicode.Scalar($0) }))
            bodyBytes = record.body.length
            recordedBytes = record.body.capturedLength
            isComplete = record.body.isComplete
            bodyBase64 = body.map { Base64.encode($0) }
            trailers =
                record.trailers.isEmpty
                ? nil : String(String.UnicodeScalarView(record.trailers.map { Unicode.Scalar($0) }))
        }
    }

    let exchange: ExchangeJSON
    let timings: [String: Double]
    let request: Message
    let response: Message?
    let messages: [WebSocketMessageJSON]?
    let stream: StreamJSON?
    let flow: FlowDetailJSON?
    /// The advice on the outcome; `nil` if there is none.
    let advice: String?

    /// Takes the facts of an exchange, its bodies (`nil` leaves the bytes out), its messages (at most `longest` bytes
    /// of each text) and its flow.
    package init(
        _ record: ExchangeRecord,
        request: [UInt8]?,
        response: [UInt8]?,
        messages: [WebSocketTranscript.Entry],
        stream: StreamTranscript?,
        longest: Int = .max,
        flow: FlowRecord?
    ) {
        exchange = ExchangeJSON(record)
        timings = record.timings.milliseconds(flow)
        self.request = Message(record.request, body: request)
        self.response = record.response.map { Message($0, body: response) }
        let began = record.timings.started
        self.messages =
            record.notes.contains(.webSocket)
            ? messages.map { WebSocketMessageJSON($0, exchangeBegan: began) } : nil
        self.stream = stream.map { StreamJSON($0, longest: longest) }
        self.flow = flow.map(FlowDetailJSON.init)
        advice = record.remedy
    }
}
