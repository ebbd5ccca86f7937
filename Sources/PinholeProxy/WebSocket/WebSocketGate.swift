package import PinholeModel
package import PinholeWire

/// Relays a WebSocket frame by frame, so that messages can be left out and frames put in between.
///
/// What is passed on is passed on unchanged. A message is dropped with all of its frames. A frame of our
/// own waits until it may stand where it comes: a control frame between two frames, a message between two
/// messages (RFC 6455 §5.4). After a violation of the protocol everything passes.
///
/// What is relayed without such wishes needs no gate: ``WebSocketTap`` sees it go by.
package struct WebSocketGate: Sendable {
    /// A message that may be dropped.
    package struct Question: Sendable, Equatable {
        /// What it is.
        package var kind: WebSocketMessage.Kind
        /// Who sent it.
        package var sender: Side
        /// Whether it is compressed.
        package var isCompressed: Bool
    }

    /// What becomes of a message.
    package enum Decision: Sendable {
        /// It passes.
        case forward
        /// It does not.
        case drop
    }

    private var fromClient: WebSocketGateLane
    private var fromServer: WebSocketGateLane
    private var tap: WebSocketTap
    private let agreement: WebSocketAgreement

    /// Creates a gate for a WebSocket that was just opened.
    ///
    /// - Parameters:
    ///   - tap: Records what passes, what does not, and what was put in.
    ///   - agreement: What was agreed upon.
    package init(recordingBy tap: WebSocketTap, agreement: WebSocketAgreement) {
        self.tap = tap
        self.agreement = agreement
        fromClient = WebSocketGateLane(from: .client, agreement: agreement)
        fromServer = WebSocketGateLane(from: .server, agreement: agreement)
    }

    /// Whether a message can be left out.
    ///
    /// A compressed one cannot where later ones may refer to it (RFC 7692 §7.1.1): their receiver would
    /// not be able to read them.
    package func canDrop(_ question: Question) -> Bool {
        guard question.isCompressed, let deflate = agreement.deflate else { return agreement.unknown.isEmpty }
        return agreement.unknown.isEmpty && !deflate.takesOverContext(from: question.sender)
    }

    /// Passes on what came from `side`.
    ///
    /// At most the beginning of a frame's header, or of a control frame, stays in `input`; where the
    /// stream of `side` ends there, the caller passes it on as it is.
    ///
    /// - Parameters:
    ///   - input: What `side` sent.
    ///   - output: What goes to the other side.
    ///   - side: Who sent it.
    ///   - now: The time.
    ///   - events: Receives the messages that are over.
    ///   - decide: Is asked once for each message and control frame that can be dropped.
    package mutating func pass(
        _ input: inout ByteQueue,
        to output: inout ByteQueue,
        from side: Side,
        at now: Timestamp,
        into events: inout [FlowEvent],
        deciding decide: (Question) -> Decision
    ) {
        var lane = side == .client ? fromClient : fromServer
        while let step = lane.next(input, mayDrop: { canDrop($0) && decide($0) == .drop }) {
            tap.receive(
                input.slice(step.count),
                from: side,
                isDropped: step.isDropped,
                at: now,
                into: &events
            )
            if step.isDropped { input.consume(step.count) } else { input.move(step.count, to: &output) }
            if step.count == 0 { lane.release(to: &output) }
        }
        switch side {
        case .client: fromClient = lane
        case .server: fromServer = lane
        }
    }

    /// Sends a message or control frame of our own, at once or as soon as it may stand there.
    ///
    /// - Parameters:
    ///   - kind: What it is.
    ///   - payload: Its payload.
    ///   - output: What goes to the other side of `side`.
    ///   - side: In whose place it is sent.
    ///   - mask: The key; needed in the place of a client.
    ///   - now: The time.
    ///   - events: Receives the record of the message.
    /// - Throws: ``WebSocketFailure`` where the RFC forbids it; nothing may follow a close, for one.
    package mutating func inject(
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8],
        to output: inout ByteQueue,
        from side: Side,
        mask: WebSocketMaskKey?,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) throws(WebSocketFailure) {
        guard let opcode = WebSocketOpcode(rawValue: kind.rawValue), opcode != .continuation else {
            throw WebSocketFailure(.unexpectedContinuation, "Only whole messages can be sent.")
        }
        let frame = try WebSocketWriter.frame(opcode, payload, mask: mask, from: side)
        switch side {
        case .client: try fromClient.inject(opcode, frame, to: &output)
        case .server: try fromServer.inject(opcode, frame, to: &output)
        }
        tap.noteInjected(kind, payload, from: side, at: now, into: &events)
    }

    /// Records what had begun and was not finished: the WebSocket is over.
    ///
    /// - Parameter events: Receives the messages.
    package mutating func end(into events: inout [FlowEvent]) { tap.end(into: &events) }
}
