import PinholeModel

/// Reads `_webSocketMessages`, which Chromium and Pinhole write.
struct HARMessageReader {
    private let entry: JSONValue
    private let limits: ImportLimits

    /// Creates a reader of the entry's object.
    init(_ entry: JSONValue, limits: ImportLimits) {
        self.entry = entry
        self.limits = limits
    }

    /// Adds the messages to an exchange, and marks it as a WebSocket.
    func read(into exchange: inout ImportedExchange) {
        guard case .array(let elements) = entry["_webSocketMessages"] else { return }
        for element in elements {
            guard let message = message(element, after: exchange) else {
                let found = element["opcode"]?.summary ?? "nothing"
                exchange.doubt(
                    .message,
                    "_webSocketMessages: expected an opcode of RFC 6455 and data, found \(found)"
                )
                continue
            }
            exchange.messages.append(message)
        }
        exchange.beginWebSocket()
    }

    private func message(_ element: JSONValue, after exchange: ImportedExchange) -> WebSocketMessage? {
        // Chromium writes errors with the opcode -1.
        guard let opcode = element["opcode"]?.integer, let data = element["data"]?.text,
            let kind = UInt8(exactly: opcode).flatMap(WebSocketMessage.Kind.init(rawValue:))
        else { return nil }
        let started = exchange.record.timings.started
        var message = WebSocketMessage(
            exchange: exchange.record.id,
            number: Int64(exchange.messages.count) + 1,
            sender: element["type"]?.text == "send" ? .client : .server,
            kind: kind,
            started: moment(element["time"]?.number) ?? exchange.messages.last?.started ?? started
        )
        let isText = kind == .text && element["_encoding"]?.text != "base64"
        message.inline = isText ? Array(data.utf8) : Base64.decode(data.utf8) ?? Array(data.utf8)
        message.capturedLength = Int64(message.inline.count)
        // The file does not have the true length of a truncated message.
        message.length = message.capturedLength + (element["_truncated"]?.isTrue ?? false ? 1 : 0)
        message.isComplete = !(element["_incomplete"]?.isTrue ?? false)
        message.notes = (element["_notes"]?.elements ?? []).compactMap {
            $0.text.flatMap(WebSocketMessage.Note.init(rawValue:))
        }
        return message
    }

    /// Converts seconds since 1970; `nil` if the number is missing or out of range.
    private func moment(_ seconds: Double?) -> Timestamp? {
        guard let seconds, (0...4e9).contains(seconds) else { return nil }
        return Timestamp(microseconds: Int64((seconds * 1e6).rounded()))
    }
}

extension ImportedExchange {
    /// Marks the exchange as a WebSocket.
    mutating func beginWebSocket() {
        for note in [ExchangeNote.upgraded, .webSocket] where !record.notes.contains(note) {
            record.notes.append(note)
        }
        record.messages = Int64(messages.count)
        record.messageBytes = messages.reduce(0) { $0 + $1.length }
    }
}
