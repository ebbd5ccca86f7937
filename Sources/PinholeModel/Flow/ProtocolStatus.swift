/// The status by which a protocol inside of HTTP says how an exchange ended, whatever the status of HTTP says.
package enum ProtocolStatus: Sendable, Equatable {
    /// The code in `grpc-status`.
    case grpc(Int64)
    /// The number of errors in a response of GraphQL.
    case graphQL(errors: Int64)
    /// The code of the first close frame of a WebSocket (RFC 6455 §7.4); 1005 if the frame has none.
    case webSocket(close: Int64)

    /// The codes of a normal close: done, a page that was left, and no code.
    private static let normalCloses: [Int64] = [1000, 1001, 1005]
    /// The code for a malformed `grpc-status`, as the protocol requires.
    private static let unknownStatus: Int64 = 2

    /// Whether the status is an error.
    package var isError: Bool {
        switch self {
        case .grpc(let code): code != 0
        case .graphQL(let errors): errors > 0
        case .webSocket(let code): !Self.normalCloses.contains(code)
        }
    }

    /// The status in words; `nil` unless it is an error.
    package var trouble: String? {
        guard isError else { return nil }
        return switch self {
        case .grpc(let code): "gRPC status \(code)"
        case .graphQL(let errors): errors == 1 ? "1 error of GraphQL" : "\(errors) errors of GraphQL"
        case .webSocket(let code): "WebSocket closed with \(code)"
        }
    }

    /// Reads the fields that end a call of gRPC; `nil` if they are others.
    init?(grpc fields: HeaderFields) {
        guard let text = fields.first("grpc-status") else { return nil }
        let code = UInt32(text).map(Int64.init)
        self = .grpc(code ?? Self.unknownStatus)
    }

    /// Counts the errors in a response of GraphQL (GraphQL, October 2021, §7.1); `nil` if it is no such response.
    init?(graphQL body: [UInt8]) {
        guard case .object(let members)? = try? JSONValue(parsing: body) else { return nil }
        if case .array(let errors)? = members["errors"] {
            self = .graphQL(errors: Int64(errors.count))
        } else if members["data"] != nil {
            self = .graphQL(errors: 0)
        } else {
            return nil
        }
    }
}

extension ExchangeRecord {
    /// Sets the status of gRPC or GraphQL from a complete response.
    ///
    /// The errors of GraphQL are read as far as the record itself has the body.
    ///
    /// - Parameter content: Returns the body of a message without its content codings.
    package mutating func noteProtocolStatus(content: (MessageRecord) -> [UInt8]) {
        guard protocolStatus == nil, let response else { return }
        if !response.trailers.isEmpty {
            protocolStatus = ProtocolStatus(grpc: HeaderFields(section: response.trailers))
        } else if response.body.length == 0 {
            // A call without messages may have its status in the head. Few other heads are read here.
            protocolStatus = ProtocolStatus(grpc: response.fields)
        }
        guard protocolStatus == nil, graphQL != nil,
            Int64(response.body.inline.count) == response.body.length
        else { return }
        protocolStatus = ProtocolStatus(graphQL: content(response))
    }
}
