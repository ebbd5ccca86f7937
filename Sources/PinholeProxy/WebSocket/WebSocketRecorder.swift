import PinholeModel

/// Makes the records of the messages of one WebSocket, with a copy of their payloads up to a limit.
struct WebSocketRecorder: Sendable {
    private let exchange: ExchangeID
    private let inlineLimit: Int
    private let captureLimit: Int64

    init(_ exchange: ExchangeID, limits: Limits, keepsPayloads: Bool) {
        self.exchange = exchange
        inlineLimit = limits.bodyInline
        captureLimit = keepsPayloads ? limits.messageCapture : 0
    }

    /// Creates the record of a message that begins.
    func begin(
        _ kind: WebSocketMessage.Kind,
        number: Int64,
        from sender: Side,
        at now: Timestamp
    ) -> WebSocketMessage {
        WebSocketMessage(exchange: exchange, number: number, sender: sender, kind: kind, started: now)
    }

    /// Returns how many of the next `count` bytes are kept, so that the kept bytes are a prefix of the message.
    func room(in message: WebSocketMessage, for count: Int) -> Int {
        guard !message.isTruncated else { return 0 }
        return Int(max(0, min(Int64(count), captureLimit - message.capturedLength)))
    }

    /// Counts `count` bytes of a message, and keeps `bytes` of them.
    func keep(
        _ bytes: [UInt8],
        of count: Int,
        in message: inout WebSocketMessage,
        into events: inout [FlowEvent]
    ) {
        message.length += Int64(count)
        guard !bytes.isEmpty else { return }
        message.capturedLength += Int64(bytes.count)
        if message.capturedLength <= Int64(inlineLimit) {
            message.inline.append(contentsOf: bytes)
        } else {
            events.append(.webSocketPart(exchange, number: message.number, bytes))
        }
    }

    /// Records a message that the proxy sent.
    func recordInjected(
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8],
        number: Int64,
        from sender: Side,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        var message = begin(kind, number: number, from: sender, at: now)
        let kept = room(in: message, for: payload.count)
        keep(Array(payload.prefix(kept)), of: payload.count, in: &message, into: &events)
        message.isComplete = true
        message.notes = [.injected]
        events.append(.webSocketMessage(message))
    }
}
