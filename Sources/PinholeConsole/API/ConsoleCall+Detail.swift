import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeStore
import PinholeWire

/// Requests for the details of one exchange or flow.
extension ConsoleCall {
    /// The maximum count of messages in the detail; the page requests further messages separately.
    private static let shownMessages = 200
    /// The maximum count of bytes of a message's text in the detail, which the page reloads with every change.
    private static let gistBytes = 16 << 10
    /// The maximum count of bytes of a body in a program, which somebody pastes into an editor.
    private static let codeBytes = 1 << 20
    /// The maximum count of bytes of a text in a list of messages; the body has the complete text.
    private static let textBytes = 256 << 10

    private struct Messages<Message: Encodable>: Encodable {
        let messages: [Message]
        let more: Bool
    }

    func detail(_ reader: CaptureReader) throws -> ConsoleAnswer {
        let id = try id()
        let exchange = try reader.exchange(ExchangeID(rawValue: id))
        let flow = try reader.flow(exchange?.flow ?? FlowID(rawValue: id))
        let note = try reader.note(id)
        guard let exchange else {
            guard let flow else { throw Problem.missing(id) }
            return .json(NotedJSON(document: FlowDetailJSON(flow), note: note, messageCount: nil))
        }
        let stream = try StreamTranscript(
            exchange,
            reader,
            schema: api.subject.protobuf,
            limit: Self.shownMessages
        )
        let detail = ExchangeDetailJSON(
            exchange,
            request: nil,
            response: nil,
            messages: try webSocketMessages(of: exchange, after: 0, limit: Self.shownMessages, reader),
            stream: stream,
            longest: Self.gistBytes,
            flow: flow
        )
        let isWebSocket = exchange.notes.contains(.webSocket)
        let count = isWebSocket ? exchange.messages : stream.map { Int64($0.count) }
        return .json(NotedJSON(document: detail, note: note, messageCount: count))
    }

    func messages(_ reader: CaptureReader) throws -> ConsoleAnswer {
        let exchange = try exchange(reader)
        let after = try number("after", default: 0, in: 0...Int64.max)
        let limit = Int(try number("limit", default: 200, in: 1...Int64(api.limits.messages)))
        let started = exchange.timings.started
        if exchange.notes.contains(.webSocket) {
            let entries = try webSocketMessages(of: exchange, after: after, limit: limit + 1, reader)
            return .json(
                Messages(
                    messages: entries.prefix(limit).map { WebSocketMessageJSON($0, exchangeBegan: started) },
                    more: entries.count > limit
                )
            )
        }
        let skipped = Int(clamping: min(after, Int64(StreamTranscript.most)))
        let transcript = try StreamTranscript(
            exchange,
            reader,
            schema: api.subject.protobuf,
            limit: skipped + limit
        )
        return .json(
            Messages(
                messages: transcript?.entries.enumerated().dropFirst(skipped).map { place, entry in
                    StreamJSON.Message(entry, number: place + 1, started: started, longest: Self.textBytes)
                } ?? [],
                more: (transcript?.count ?? 0) > skipped + limit
            )
        )
    }

    /// Returns the bytes of a body, as received or with content codings removed.
    func body(_ owner: BodyOwner, _ reader: CaptureReader) throws -> ConsoleAnswer {
        let exchange = try exchange(reader)
        guard let message = owner == .request ? exchange.request : exchange.response else {
            throw Problem(404, "not found", "there is no \(owner.rawValue) (yet)")
        }
        if request.value("as") != nil { return try protobuf(of: exchange, owner, reader) }
        let isDecoded = try flag("decoded")
        // A body without a coding is read directly from its offset; decoding has to begin at the first byte.
        if isDecoded, StreamBody.isCoded(message.fields) {
            let body = try StreamBody(of: exchange, owner, in: reader)
            let total = Int64(body.content.count)
            let range = try piece(of: total)
            let bytes = Array(body.content[Int(range.lowerBound)..<Int(range.upperBound)])
            return answer(
                bytes,
                at: range.lowerBound,
                of: total,
                message,
                failure: body.failure.map { "\($0)" }
            )
        }
        let total = message.body.capturedLength
        let range = try piece(of: total)
        let bytes = try reader.body(of: exchange, owner, range: range)
        let failure =
            message.body.isTruncated && !isDecoded
            ? "only \(total) of \(message.body.length) bytes were captured" : nil
        return answer(bytes, at: range.lowerBound, of: total, message, failure: failure)
    }

    /// Returns the body, decoded as a message of Protocol Buffers.
    private func protobuf(
        of exchange: ExchangeRecord,
        _ owner: BodyOwner,
        _ reader: CaptureReader
    ) throws -> ConsoleAnswer {
        guard let wanted = request.value("as"), wanted == "protobuf" else {
            throw Problem(400, "bad value", "as: expected protobuf, found “\(request.value("as") ?? "")”")
        }
        let length = (owner == .request ? exchange.request : exchange.response)?.body.capturedLength ?? 0
        guard length <= StreamTranscript.longestInPieces else {
            throw Problem(
                422,
                "too long",
                "expected at most \(StreamTranscript.longestInPieces >> 20) MiB to read as a message, found \(length) bytes"
            )
        }
        let content = try StreamBody(of: exchange, owner, in: reader).content
        let schema = api.subject.protobuf
        let type = schema?.messageName(of: exchange, owner)
        do throws(ProtobufFailure) {
            let members = try ProtobufDecoder(schema).members(content[...], type: type)
            var answer = ConsoleAnswer.json(ProtobufJSON(members))
            if let type { answer.fields.append(("Pinhole-Message-Type", type)) }
            return answer
        } catch {
            throw Problem(422, "no message", "it is not a message of Protocol Buffers: \(error)")
        }
    }

    /// Returns a command or a program that sends the request again.
    func code(_ reader: CaptureReader) throws -> ConsoleAnswer {
        let name = request.value("language") ?? ""
        guard let language = RequestCode.Language(rawValue: name) else {
            let names = RequestCode.Language.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.bad("language", expected: "one of \(names)", found: name)
        }
        let exchange = try exchange(reader)
        guard exchange.request.body.capturedLength <= Self.codeBytes else {
            throw Problem(
                422,
                "too long",
                "expected a body of at most \(Self.codeBytes >> 20) MiB, found \(exchange.request.body.capturedLength) bytes",
                remedy: "pinhole flows export --code \(exchange.id.rawValue) --language \(name)"
            )
        }
        let body = try reader.body(of: exchange, .request)
        return .text(String(RequestCode.text(exchange, body: body, in: language).dropLast()), status: 200)
    }

    private func exchange(_ reader: CaptureReader) throws -> ExchangeRecord {
        let id = try id()
        guard let exchange = try reader.exchange(ExchangeID(rawValue: id)) else { throw Problem.missing(id) }
        return exchange
    }

    private func webSocketMessages(
        of exchange: ExchangeRecord,
        after: Int64,
        limit: Int,
        _ reader: CaptureReader
    ) throws(CaptureFailure) -> [WebSocketTranscript.Entry] {
        guard exchange.notes.contains(.webSocket) else { return [] }
        let transcript = WebSocketTranscript(of: exchange, in: reader)
        var entries: [WebSocketTranscript.Entry] = []
        while entries.count < limit, !request.abandonment.isAbandoned, let entry = try transcript.next() {
            if entry.message.number > after { entries.append(entry) }
        }
        return entries
    }

    /// Returns the requested piece of a body, by the query or by Range (RFC 9110 §14.2), as far as one answer holds it.
    private func piece(of total: Int64) throws(Problem) -> Range<Int64> {
        let most = api.limits.bodyPiece
        if request.value("offset") == nil, request.value("length") == nil {
            switch ByteRanges(request.head.fields.all("range"), length: Int(total)) {
            case .part(let range):
                let start = Int64(range.lowerBound)
                return start..<min(Int64(range.upperBound), start + most)
            case .unsatisfiable where total > 0: throw Self.unsatisfiable(total)
            case .unsatisfiable, .whole: break
            }
        }
        let offset = try number("offset", default: 0, in: 0...Int64.max)
        let length = try number("length", default: 1 << 20, in: 1...most)
        guard offset < total || offset == 0 else { throw Self.unsatisfiable(total) }
        return offset..<min(total, offset + min(length, total - offset))
    }

    private static func unsatisfiable(_ total: Int64) -> Problem {
        Problem(416, "range not satisfiable", "there are \(total) bytes")
    }

    /// Answers with captured bytes so that a browser never shows them as a document of the console.
    private func answer(
        _ bytes: [UInt8],
        at offset: Int64,
        of total: Int64,
        _ message: MessageRecord,
        failure: String?
    ) -> ConsoleAnswer {
        let isWhole = Int64(bytes.count) == total
        var fields: [(name: String, value: String)] = [
            ("Content-Type", "application/octet-stream"), ("Content-Disposition", "attachment"),
            ("Content-Security-Policy", "sandbox; default-src 'none'"), ("Accept-Ranges", "bytes"),
            ("Pinhole-Total", "\(total)"),
        ]
        if !isWhole {
            fields.append(("Content-Range", "bytes \(offset)-\(offset + Int64(bytes.count) - 1)/\(total)"))
        }
        if let encoding = message.fields.first("content-encoding") {
            fields.append(("Pinhole-Encoding", ConsoleHeaders.safe(encoding)))
        }
        if let failure { fields.append(("Pinhole-Failure", ConsoleHeaders.safe(failure))) }
        return ConsoleAnswer(isWhole ? 200 : 206, fields: fields, body: .bytes(bytes))
    }
}
