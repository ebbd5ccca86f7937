import PinholeModel
import PinholeWire

/// The results of one step of a WebSocket: the records, and the bytes for both sides.
struct WebSocketRun {
    var tap: WebSocketTap
    var output = WebSocketOutput()
    var events: [FlowEvent] = []
    let now: Timestamp

    init(_ tap: WebSocketTap, at now: Timestamp) {
        self.tap = tap
        self.now = now
    }

    /// Records bytes, and passes them on.
    mutating func pass(_ bytes: [UInt8], from side: Side) {
        note(bytes, from: side)
        output.append(bytes, from: side)
    }

    /// Records bytes that reach the other side in another form.
    mutating func note(_ bytes: [UInt8], from side: Side) {
        guard !bytes.isEmpty else { return }
        tap.receive(bytes[...], from: side, at: now, into: &events)
    }

    /// Records bytes that are not passed on, because of `rules`.
    mutating func drop(_ bytes: [UInt8], from side: Side, by rules: [String]) {
        tap.receive(bytes[...], from: side, isDropped: true, at: now, into: &events)
        explain(rules.joined(separator: "”, “"))
    }

    /// Sends a message to the receiver in the place of `side`.
    mutating func send(_ kind: WebSocketMessage.Kind, _ payload: [UInt8], from side: Side) {
        guard let frame = try? Self.frame(kind, payload, from: side) else { return }
        output.append(frame, from: side)
    }

    /// Records a message that the proxy sends.
    mutating func noteOwn(
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8],
        from side: Side,
        rule: String?
    ) {
        tap.noteInjected(kind, payload, from: side, at: now, into: &events)
        if let rule { explain(rule) }
    }

    /// Adds the rule to the last record.
    private mutating func explain(_ rule: String) {
        guard case .webSocketMessage(var message)? = events.last else { return }
        message.detail = "by the rule “\(rule)”"
        events[events.count - 1] = .webSocketMessage(message)
    }

    /// Creates a frame of our own.
    ///
    /// In the place of a client, it is masked with an unpredictable key (RFC 6455 §5.3).
    static func frame(
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8],
        from sender: Side
    ) throws(WebSocketFailure) -> [UInt8] {
        guard let opcode = WebSocketOpcode(rawValue: kind.rawValue), opcode != .continuation else {
            throw WebSocketFailure(.unexpectedContinuation, "Only whole messages can be sent.")
        }
        var mask: WebSocketMaskKey?
        if sender == .client {
            let key = UInt32.random(in: .min ... .max)
            mask = WebSocketMaskKey(
                UInt8(truncatingIfNeeded: key),
                UInt8(truncatingIfNeeded: key >> 8),
                UInt8(truncatingIfNeeded: key >> 16),
                UInt8(truncatingIfNeeded: key >> 24)
            )
        }
        return try WebSocketWriter.frame(opcode, payload, mask: mask, from: sender)
    }
}
