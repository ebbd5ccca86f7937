import PinholeModel
import PinholeRules
import PinholeWire

/// The relay of one WebSocket: messages are recorded and, if rules or users want that, injected, changed and dropped.
struct WebSocketRelay {
    private(set) var tap: WebSocketTap
    private var editor: WebSocketEditor?
    /// The frames of our own messages that wait for the end of a message of this side, if there is no editor.
    private var waitingForClient: [[UInt8]] = []
    private var waitingForServer: [[UInt8]] = []

    init(_ tap: WebSocketTap, rules: MessageRules?, agreement: WebSocketAgreement) {
        self.tap = tap
        // Unknown extensions may change the meaning of frames, so messages on such a connection are not edited.
        guard let rules, agreement.unknown.isEmpty else { return }
        editor = WebSocketEditor(rules, agreement: agreement)
    }

    /// Whether bytes must pass through this relay, and are not only watched.
    var isEditing: Bool { editor != nil || !waitingForClient.isEmpty || !waitingForServer.isEmpty }

    /// Records bytes that pass.
    mutating func watch(
        _ bytes: ArraySlice<UInt8>,
        from side: Side,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        tap.receive(bytes, from: side, at: now, into: &events)
    }

    /// Handles bytes of a side, and returns the bytes to send.
    mutating func pass(
        _ bytes: ArraySlice<UInt8>,
        from side: Side,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) -> WebSocketOutput {
        run(at: now, into: &events) { relay, run in
            if relay.editor != nil {
                relay.editor?.pass(bytes, from: side, &run)
            } else {
                relay.passWaiting(bytes, from: side, &run)
            }
        }
    }

    /// Passes on the held bytes of `side`, whose stream has ended.
    mutating func finish(_ side: Side, at now: Timestamp, into events: inout [FlowEvent]) -> WebSocketOutput {
        run(at: now, into: &events) { relay, run in relay.editor?.finish(side, &run) }
    }

    /// Sends the messages of rules that are due when the WebSocket has been opened.
    mutating func open(at now: Timestamp, into events: inout [FlowEvent]) -> WebSocketOutput {
        run(at: now, into: &events) { relay, run in relay.editor?.open(&run) }
    }

    /// Sends a message of our own, at once or as soon as the current message ends.
    ///
    /// - Throws: ``WebSocketFailure`` if RFC 6455 forbids the message, for example after a close.
    mutating func inject(
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8],
        to receiver: Side,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) throws(WebSocketFailure) -> WebSocketOutput {
        var run = WebSocketRun(tap, at: now)
        if editor != nil {
            try editor?.inject(kind, payload, to: receiver, by: nil, &run)
        } else {
            let sender = receiver.opposite
            guard tap.mayFollow(sender) else {
                throw WebSocketFailure(
                    .frameAfterClose,
                    "Nothing can be sent in the place of the \(sender.rawValue): it has closed, or broke the protocol."
                )
            }
            let frame = try WebSocketRun.frame(kind, payload, from: sender)
            run.noteOwn(kind, payload, from: sender, rule: nil)
            if tap.isBetweenMessages(of: sender) {
                run.output.append(frame, from: sender)
            } else if sender == .client {
                waitingForClient.append(frame)
            } else {
                waitingForServer.append(frame)
            }
        }
        tap = run.tap
        events += run.events
        return run.output
    }

    /// Records the messages that were not complete at the end of the WebSocket.
    mutating func end(into events: inout [FlowEvent]) { tap.end(into: &events) }

    private mutating func run(
        at now: Timestamp,
        into events: inout [FlowEvent],
        _ body: (inout WebSocketRelay, inout WebSocketRun) -> Void
    ) -> WebSocketOutput {
        var run = WebSocketRun(tap, at: now)
        body(&self, &run)
        tap = run.tap
        events += run.events
        return run.output
    }

    /// Passes bytes on unchanged, and inserts the waiting messages behind the first message that ends among them.
    private mutating func passWaiting(_ bytes: ArraySlice<UInt8>, from side: Side, _ run: inout WebSocketRun)
    {
        let waiting = side == .client ? waitingForClient : waitingForServer
        guard !waiting.isEmpty, let end = run.tap.messageEnd(in: bytes, from: side) else {
            return run.pass(Array(bytes), from: side)
        }
        run.pass(Array(bytes.prefix(end)), from: side)
        // Nothing may follow a close.
        if run.tap.mayFollow(side) {
            for frame in waiting { run.output.append(frame, from: side) }
        }
        if side == .client { waitingForClient = [] } else { waitingForServer = [] }
        run.pass(Array(bytes.dropFirst(end)), from: side)
    }
}
