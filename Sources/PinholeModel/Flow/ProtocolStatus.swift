/// The status by which a protocol inside of HTTP says how an exchange ended, whatever the status of HTTP says.
package enum ProtocolStatus: Sendable, Equatable {
    /// The code in `grpc-status`; `nil` if a complete response came without one.
    case grpc(Int64?)
    /// The number of errors in a response of GraphQL.
    case graphQL(errors: Int64)
    /// The code of the first close frame of a WebSocket (RFC 6455 §7.4); 1005 if the frame has none, and 1006 if neither
    /// side sent such a frame (§7.1.5).
    case webSocket(close: Int64)

    /// The codes of a normal close: done, a page that was left, and no code.
    private static let normalCloses: [Int64] = [1000, 1001, 1005]
    /// The code for a malformed or missing `grpc-status`, as the protocol requires.
    static let unknownStatus: Int64 = 2
    /// The code of an end without a close frame, which no frame may have.
    private static let abnormalClose: Int64 = 1006

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
        case .grpc(nil): "gRPC without a status"
        case .grpc(let code?): "gRPC status \(code)" + (Self.grpcName(of: code).map { " \($0)" } ?? "")
        case .graphQL(let errors): errors == 1 ? "1 error of GraphQL" : "\(errors) errors of GraphQL"
        case .webSocket(Self.abnormalClose): "WebSocket ended without a close frame"
        case .webSocket(let code): "WebSocket closed with \(code)"
        }
    }

    /// The names of the codes of gRPC, from 0.
    private static let grpcNames = [
        "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
        "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
        "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
    ]

    /// Returns the name of a code of gRPC; `nil` if gRPC does not define it.
    package static func grpcName(of code: Int64) -> String? {
        Int(exactly: code).flatMap { grpcNames.indices.contains($0) ? grpcNames[$0] : nil }
    }

    /// Reads the fields that end a call of gRPC; `nil` if they are others.
    init?(grpc fields: HeaderFields) {
        guard let text = fields.first("grpc-status") else { return nil }
        let code = UInt32(text).map(Int64.init)
        self = .grpc(code ?? Self.unknownStatus)
    }

    /// Returns the trailers in the last frame of a response of gRPC-Web, and whether they are compressed; `nil` if there
    /// are none.
    fileprivate static func trailers(ofGRPCWeb body: [UInt8]) -> (section: [UInt8], isCompressed: Bool)? {
        var rest = body[...]
        while rest.count >= 5, let flags = rest.popFirst() {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let payload = rest.dropFirst(4).prefix(length)
            if flags & 0x80 != 0, payload.count == length { return (Array(payload), flags & 1 != 0) }
            rest = rest[payload.endIndex...]
        }
        return nil
    }

    /// Counts the errors in a response of GraphQL (GraphQL, October 2021, §7.1), or in a list of responses, as clients that
    /// send several operations at once get it; `nil` if it is no such response.
    init?(graphQL body: [UInt8]) {
        guard let value = try? JSONValue(parsing: body) else { return nil }
        let answers = if case .array(let list) = value { list } else { [value] }
        var count: Int64?
        for case .object(let members) in answers {
            if case .array(let errors)? = members["errors"] {
                count = (count ?? 0) + Int64(errors.count)
            } else if members["data"] != nil {
                count = count ?? 0
            }
        }
        guard let count else { return nil }
        self = .graphQL(errors: count)
    }
}

extension ExchangeRecord {
    /// Sets the status of gRPC or GraphQL from a complete response.
    ///
    /// Bodies are read as far as the record itself has them.
    ///
    /// - Parameters:
    ///   - isOwn: Whether the proxy saw the response itself. Imported files may lack trailers and bodies.
    ///   - content: Returns bytes without the named codings, and without base64 if the last argument says so; `nil` if
    ///     they cannot be decoded.
    package mutating func noteProtocolStatus(
        isOwn: Bool,
        content: (_ bytes: [UInt8], _ codings: [String], _ isBase64: Bool) -> [UInt8]?
    ) {
        guard protocolStatus == nil, let response else { return }
        let isWhole = Int64(response.body.inline.count) == response.body.length
        if !response.trailers.isEmpty {
            protocolStatus = ProtocolStatus(grpc: HeaderFields(section: response.trailers))
        } else if response.body.length == 0 {
            // A call without messages may have its status in the head. Few other heads are read here.
            protocolStatus = ProtocolStatus(grpc: response.fields)
        }
        guard protocolStatus == nil else { return }
        func body(isBase64: Bool) -> [UInt8]? {
            guard isWhole else { return nil }
            return content(response.body.inline, response.fields.list("content-encoding"), isBase64)
        }
        if let type = typeOfCall {
            let fields = response.fields
            if type != Self.grpc {
                guard let frames = body(isBase64: type == Self.grpcWebText) else { return }
                if let trailers = ProtocolStatus.trailers(ofGRPCWeb: frames) {
                    let codings = trailers.isCompressed ? fields.list("grpc-encoding") : []
                    guard let section = content(trailers.section, codings, false) else { return }
                    protocolStatus = ProtocolStatus(grpc: HeaderFields(section: section))
                }
            }
            // Some servers send the status before the messages.
            protocolStatus = protocolStatus ?? ProtocolStatus(grpc: fields)
            // Any other status of HTTP says what failed (gRPC, “HTTP to gRPC Status Code Mapping”).
            if protocolStatus == nil, isOwn, status == 200, response.body.isComplete {
                protocolStatus = .grpc(nil)
            }
        } else if graphQL != nil, let body = body(isBase64: false) {
            protocolStatus = ProtocolStatus(graphQL: body)
        }
    }

    private static let grpc = "application/grpc"
    private static let grpcWeb = "application/grpc-web"
    private static let grpcWebText = "application/grpc-web-text"

    /// The Content-Type of a call of gRPC or gRPC-Web, without the format of its messages; `nil` for any other request.
    private var typeOfCall: String? {
        guard method == "POST", let value = request.fields.first("content-type") else { return nil }
        let type = value.lowercased().prefix { !"+; \t".contains($0) }
        return [Self.grpc, Self.grpcWeb, Self.grpcWebText].first { $0 == type }
    }
}
