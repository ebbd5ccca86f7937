package import PinholeModel

/// Writes exchanges as a flow file that mitmproxy 11 and later can read.
///
/// Facts without a field in mitmproxy are in the flow's metadata, under names that begin with `pinhole_`.
package struct MitmproxyExport {
    private let reader: CaptureReader
    private let flows = FlowMemory()

    /// The version of the format that is written, which is that of mitmproxy 11 and 12.
    private static let version: Int64 = 21

    /// Creates an export from `reader`.
    package init(_ reader: CaptureReader) { self.reader = reader }

    /// Writes one exchange.
    ///
    /// - Parameters:
    ///   - record: The exchange, as the reader returned it.
    ///   - note: The user's mark and comment.
    ///   - output: The output to append to.
    /// - Throws: ``CaptureFailure`` if reading or writing fails.
    package func write(
        _ record: ExchangeRecord,
        _ note: TrafficNote,
        to output: inout FileOutput
    ) throws(CaptureFailure) {
        let flow = try flows.flow(record.flow, reader)
        let connections = MitmproxyConnections(record, flow)
        let value = TNetstring.dictionary([
            "version": .integer(Self.version),
            "type": .text("http"),
            "id": .text(Self.identifier(record.timings.started, record.id.rawValue)),
            "timestamp_created": Self.seconds(record.timings.started),
            "intercepted": .truth(false),
            "is_replay": .null,
            "marked": .text(note.isMarked ? ":default:" : ""),
            "comment": .text(note.comment ?? ""),
            "metadata": metadata(of: record),
            "backup": .null,
            "error": error(of: record),
            "client_conn": connections.client,
            "server_conn": connections.server,
            "request": request(of: record, try reader.body(of: record, .request)),
            "response": try response(of: record),
            "websocket": try webSocket(of: record),
        ])
        try output.append(value.encoded)
    }

    private func request(of record: ExchangeRecord, _ body: [UInt8]) -> TNetstring {
        let fields = record.request.fields
        let version = record.requestVersion
        let authority = fields.first(":authority") ?? ""
        return .dictionary([
            "method": Self.bytes(record.method),
            "scheme": Self.bytes(record.scheme.rawValue),
            "host": .text(record.authority.host.description),
            "port": .integer(Int64(record.authority.port)),
            "path": .bytes(record.pathBytes[...]),
            "authority": Self.bytes(authority),
            "http_version": Self.bytes(Self.version(version)),
            "headers": Self.list(fields),
            "content": .bytes(body[...]),
            "trailers": trailers(record.request),
            "timestamp_start": Self.seconds(record.timings.started),
            "timestamp_end": Self.seconds(record.timings.requestEnded),
        ])
    }

    private func response(of record: ExchangeRecord) throws(CaptureFailure) -> TNetstring {
        guard let response = record.response, let status = record.status else { return .null }
        let line = StartLine(response.head)
        let started = record.timings.responseStarted ?? record.timings.ended ?? record.timings.started
        return .dictionary([
            "http_version": Self.bytes(Self.version(line.responseVersion)),
            "status_code": .integer(Int64(status)),
            "reason": Self.bytes(line.reason),
            "headers": Self.list(response.fields),
            "content": .bytes(try reader.body(of: record, .response)[...]),
            "trailers": trailers(response),
            "timestamp_start": Self.seconds(started),
            "timestamp_end": Self.seconds(record.timings.ended),
        ])
    }

    private func error(of record: ExchangeRecord) -> TNetstring {
        let text: String
        switch record.outcome {
        case .completed, .answeredByProxy, .closedByClient: return .null
        case nil: text = "it went on when it was exported"
        case .aborted(_, let detail), .failed(let detail): text = detail
        case .abortedByUser: text = ExchangeOutcome.userDetail
        }
        let moment = record.timings.ended ?? record.timings.started
        return .dictionary(["msg": .text(text), "timestamp": Self.seconds(moment)])
    }

    private func metadata(of record: ExchangeRecord) -> TNetstring {
        var members: [String: TNetstring] = [
            "pinhole_outcome": .text(record.outcome?.kind.rawValue ?? "running"),
            "pinhole_notes": .list(record.notes.map { .text($0.rawValue) }),
        ]
        if let detail = record.outcome?.detail { members["pinhole_detail"] = .text(detail) }
        for (name, body) in [("request", record.request.body), ("response", record.response?.body)] {
            guard let body else { continue }
            if body.isTruncated { members["pinhole_\(name)_length"] = .integer(body.length) }
            if !body.isComplete { members["pinhole_\(name)_incomplete"] = .truth(true) }
        }
        return .dictionary(members)
    }

    private func webSocket(of record: ExchangeRecord) throws(CaptureFailure) -> TNetstring {
        guard record.notes.contains(.webSocket) else { return .null }
        var messages: [TNetstring] = []
        var close: WebSocketMessage?
        let transcript = WebSocketTranscript(of: record, in: reader)
        while let entry = try transcript.next() {
            let message = entry.message
            switch message.kind {
            case .text, .binary:
                messages.append(
                    .list([
                        .integer(Int64(message.kind.rawValue)), .truth(message.sender == .client),
                        .bytes(entry.content[...]), Self.seconds(message.started),
                        .truth(message.notes.contains(.dropped)), .truth(message.notes.contains(.injected)),
                    ])
                )
            // mitmproxy records the close separately, and no pings.
            case .close: close = close ?? message
            case .ping, .pong, .unread: break
            }
        }
        return .dictionary([
            "messages": .list(messages),
            "closed_by_client": close.map { .truth($0.sender == .client) } ?? .null,
            "close_code": close?.closeCode.map { .integer(Int64($0)) } ?? .null,
            "close_reason": close?.closeReason.map { .text($0) } ?? .null,
            "timestamp_end": Self.seconds(close?.started ?? record.timings.ended),
        ])
    }

    private func trailers(_ message: MessageRecord) -> TNetstring {
        message.trailers.isEmpty ? .null : Self.list(HeaderFields(section: message.trailers))
    }

    /// Returns the fields without pseudo-fields, whose values mitmproxy keeps elsewhere.
    private static func list(_ fields: HeaderFields) -> TNetstring {
        .list(
            fields.indices.filter { !fields.isPseudo(at: $0) }.map { index in
                .list([.bytes(fields.name(at: index)), .bytes(fields.value(at: index))])
            }
        )
    }

    private static func version(_ text: String) -> String { text == "HTTP/2" ? "HTTP/2.0" : text }

    private static func bytes(_ text: String) -> TNetstring { .bytes(Array(text.utf8)[...]) }

    /// Returns the seconds since 1970.
    static func seconds(_ moment: Timestamp?) -> TNetstring {
        moment.map { .number(Double($0.microseconds) / 1e6) } ?? .null
    }

    /// Returns an identifier in the form of a UUID; an exchange always has the same one.
    static func identifier(_ moment: Timestamp, _ number: Int64) -> String {
        Hexadecimal.uuid(
            [UInt64(bitPattern: moment.microseconds), UInt64(bitPattern: number)].flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
            }
        )
    }
}
