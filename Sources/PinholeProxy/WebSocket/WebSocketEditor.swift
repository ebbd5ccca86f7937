package import PinholeModel
package import PinholeRules
import PinholeWire

/// Lets rules drop, change and send messages of a WebSocket.
///
/// Messages that no rule changes pass unchanged, frame by frame. A message that is changed or sent by a rule is one
/// uncompressed frame, which is always allowed (RFC 7692 §6.1), so nothing has to be compressed here. If a compressed
/// message was dropped or changed, the receiver's context differs from the sender's. Then later compressed messages,
/// which may refer to it, are sent decompressed.
package struct WebSocketEditor {
    private let rules: MessageRules
    private var fromClient: WebSocketEditorLane
    private var fromServer: WebSocketEditorLane

    /// Creates an editor for a WebSocket that was just opened.
    ///
    /// - Parameters:
    ///   - rules: The rules for messages.
    ///   - agreement: The extensions that were agreed upon, which must all be known.
    package init(_ rules: MessageRules, agreement: WebSocketAgreement) {
        self.rules = rules
        fromClient = WebSocketEditorLane(from: .client, agreement: agreement)
        fromServer = WebSocketEditorLane(from: .server, agreement: agreement)
    }

    private func lane(_ side: Side) -> WebSocketEditorLane { side == .client ? fromClient : fromServer }

    private mutating func put(_ lane: WebSocketEditorLane) {
        if lane.sender == .client { fromClient = lane } else { fromServer = lane }
    }

    /// Handles bytes of a side.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that `side` has sent.
    ///   - side: The sender.
    ///   - run: The run, which collects records and output.
    mutating func pass(_ bytes: ArraySlice<UInt8>, from side: Side, _ run: inout WebSocketRun) {
        var lane = lane(side)
        lane.receive(bytes)
        while let step = lane.next() {
            put(lane)
            take(step, from: side, &run)
            lane = self.lane(side)
            let released = lane.released()
            if !released.isEmpty { run.output.append(released, from: side) }
        }
        put(lane)
    }

    /// Passes on the held bytes of `side`, whose stream has ended.
    mutating func finish(_ side: Side, _ run: inout WebSocketRun) {
        var lane = lane(side)
        let rest = lane.finish()
        put(lane)
        if !rest.isEmpty { run.pass(rest, from: side) }
    }

    /// Sends the messages of rules that are due when the WebSocket has been opened.
    mutating func open(_ run: inout WebSocketRun) {
        for own in rules.openings { inject(own, &run) }
    }

    /// Sends a message of our own, at once or as soon as the current message ends.
    ///
    /// - Throws: ``WebSocketFailure`` if RFC 6455 forbids the message, for example after a close.
    mutating func inject(
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8],
        to receiver: Side,
        by rule: String?,
        _ run: inout WebSocketRun
    ) throws(WebSocketFailure) {
        let sender = receiver.opposite
        let frame = try WebSocketRun.frame(kind, payload, from: sender)
        var lane = lane(sender)
        let now = try lane.inject(frame)
        put(lane)
        run.output.append(now, from: sender)
        run.noteOwn(kind, payload, from: sender, rule: rule)
    }

    private mutating func inject(_ own: MessageRules.Own, _ run: inout WebSocketRun) {
        // A rule's message for a closed side cannot be sent, so it is dropped.
        try? inject(own.content.kind, own.content.payload, to: own.receiver, by: own.rule, &run)
    }

    private mutating func take(_ step: WebSocketEditorLane.Step, from side: Side, _ run: inout WebSocketRun) {
        switch step {
        case .pass(let bytes): run.pass(bytes, from: side)
        case .control(let kind, let frame, let payload):
            // A close always passes, because the other side would wait for it forever.
            let outcome = rules.outcome(of: kind, from: side, payload)
            guard outcome.content == nil, kind != .close else { return run.pass(frame, from: side) }
            run.drop(frame, from: side, by: outcome.rules)
        case .message(let kind, let isCompressed, let frames, let content):
            take(kind, isCompressed: isCompressed, frames, content, from: side, &run)
        case .lost(let reason):
            let payload = (try? WebSocketWriter.closePayload(1011, reason)) ?? []
            guard let frame = try? WebSocketRun.frame(.close, payload, from: side) else { return }
            run.output.append(frame, from: side)
            run.noteOwn(.close, payload, from: side, rule: nil)
        }
    }

    private mutating func take(
        _ kind: WebSocketMessage.Kind,
        isCompressed: Bool,
        _ frames: [UInt8],
        _ content: [UInt8],
        from side: Side,
        _ run: inout WebSocketRun
    ) {
        let outcome = rules.outcome(of: kind, from: side, content)
        let isSame = outcome.content == content && outcome.kind == kind
        if isSame, isCompressed, lane(side).hasDiverged {
            run.note(frames, from: side)
            run.send(kind, content, from: side)
        } else if isSame {
            run.pass(frames, from: side)
        } else {
            run.drop(frames, from: side, by: outcome.rules)
            if isCompressed { diverge(side) }
            if let changed = outcome.content {
                run.send(outcome.kind, changed, from: side)
                run.noteOwn(outcome.kind, changed, from: side, rule: outcome.rules.joined(separator: "”, “"))
            }
        }
        for own in outcome.own { inject(own, &run) }
    }

    private mutating func diverge(_ side: Side) {
        if side == .client { fromClient.noteDivergence() } else { fromServer.noteDivergence() }
    }
}
