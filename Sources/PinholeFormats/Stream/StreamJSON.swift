package import PinholeModel
import PinholeWire

/// The messages of a stream, as JSON.
package struct StreamJSON: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("leftOut", "The messages that are not included."),
        FieldJSON("troubles", "The parts that could not be read."),
    ]

    /// A server-sent event.
    struct Event: Codable {
        let type: String
        let data: String?
        let id: String?
        let retry: Int64?
        let comments: [String]?

        init(_ event: ServerSentEvent) {
            type = event.type ?? "message"
            data = event.isDispatched ? event.data.joined(separator: "\n") : nil
            id = event.id
            retry = event.retry
            comments = event.comments.isEmpty ? nil : event.comments
        }
    }

    /// A message of the stream.
    package struct Message: Codable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described: [FieldJSON] = [
            FieldJSON("sender", values: Side.allCases.map(\.rawValue)),
            FieldJSON("json", "A value of JSON."),
            FieldJSON("isCut", "Whether only the beginning of the text or the bytes is included."),
            FieldJSON("base64", format: .base64),
        ]

        let number: Int
        let sender: String
        let kind: String
        let offset: Int
        let bytes: Int
        let time: String
        let milliseconds: Double
        let isComplete: Bool
        let compression: String?
        let trouble: String?
        var event: Event?
        var json: AnyJSON?
        var protobuf: ProtobufJSON?
        var trailers: [[String]]?
        var text: String?
        var base64: String?
        /// Whether only the beginning of the text or the bytes is included.
        var isCut: Bool?

        /// Takes an entry of a stream.
        ///
        /// - Parameters:
        ///   - entry: The entry.
        ///   - number: The number of the message in its stream, from 1.
        ///   - started: The time from which its moment counts.
        ///   - longest: The maximum count of bytes of a text or binary message.
        package init(_ entry: StreamEntry, number: Int, started: Timestamp, longest: Int = .max) {
            self.number = number
            sender = entry.owner == .request ? "client" : "server"
            kind = entry.kind
            offset = entry.offset
            bytes = entry.length
            time = entry.time.iso8601Milliseconds
            milliseconds = Double((entry.time - started).microseconds) / 1000
            isComplete = entry.isComplete
            compression = entry.compression
            trouble = entry.trouble
            switch entry.content {
            case .event(let event): self.event = Event(event)
            case .json(let text):
                json = (try? JSONValue(parsing: Array(text.utf8))).map(AnyJSON.init)
            case .protobuf(let members): protobuf = ProtobufJSON(members)
            case .trailers(let fields): trailers = fields.pairs.map { [$0.name, $0.value] }
            case .text(let text) where text.utf8.count > longest:
                self.text = String(decoding: text.utf8.prefix(longest), as: UTF8.self)
                isCut = true
            case .text(let text): self.text = text
            case .bytes(let bytes):
                base64 = Base64.encode(Array(bytes.prefix(longest)))
                isCut = bytes.count > longest ? true : nil
            }
        }
    }

    /// The status of a gRPC call.
    struct Status: Codable {
        let code: Int?
        let name: String?
        let message: String?
        let details: StatusDetails?
    }

    /// The further details of a gRPC status: a `google.rpc.Status`.
    struct StatusDetails: Codable {
        /// A message among the details.
        struct Detail: Codable {
            let typeURL: String
            let protobuf: ProtobufJSON?
            let base64: String?
        }

        let code: Int
        let message: String
        let details: [Detail]

        init(_ status: GRPCStatusDetails, _ transcript: StreamTranscript) {
            code = status.code
            message = status.message
            details = status.details.map { detail in
                let members = transcript.members(of: detail)
                return Detail(
                    typeURL: detail.typeURL,
                    protobuf: members.map(ProtobufJSON.init),
                    base64: members == nil ? Base64.encode(detail.value) : nil
                )
            }
        }
    }

    let requestFormat: String?
    let responseFormat: String?
    let messages: [Message]
    let leftOut: Int
    let troubles: [String]
    let grpcStatus: Status?
    let grpcTimeoutMilliseconds: Double?

    /// Takes a stream.
    ///
    /// - Parameters:
    ///   - transcript: The stream.
    ///   - longest: The maximum count of bytes of each text or binary message.
    package init(_ transcript: StreamTranscript, longest: Int = .max) {
        requestFormat = transcript.formats.request?.rawValue
        responseFormat = transcript.formats.response?.rawValue
        let started = transcript.record.timings.started
        messages = transcript.entries.enumerated().map {
            Message($1, number: $0 + 1, started: started, longest: longest)
        }
        leftOut = transcript.count - messages.count
        troubles = transcript.troubles
        grpcStatus = transcript.status.map { status in
            Status(
                code: status.code,
                name: status.name,
                message: status.message,
                details: status.details.map { StatusDetails($0, transcript) }
            )
        }
        grpcTimeoutMilliseconds = transcript.timeout.map { Double($0.microseconds) / 1000 }
    }
}
