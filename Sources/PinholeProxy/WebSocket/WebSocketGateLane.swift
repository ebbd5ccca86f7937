import PinholeModel
import PinholeWire

/// One direction of a ``WebSocketGate``.
struct WebSocketGateLane: Sendable {
    /// The next bytes, and what becomes of them; none at the end of a frame.
    struct Step {
        var count: Int
        var isDropped: Bool
    }

    private let sender: Side
    private var reader: WebSocketReader
    private var frame: WebSocketFrameHead?
    private var isFrameDropped = false
    private var isMessageDropped = false
    /// Whether the receiver was sent the beginning of a message and not its end.
    private var isInsideForwarded = false
    private var wasClosed = false
    /// Whether a close of our own was sent: nothing of the sender's may follow it.
    private var wasClosedByUs = false
    private var hasCloseWaiting = false
    private var isBroken = false
    private var waitingControls: [[UInt8]] = []
    private var waitingMessages: [[UInt8]] = []

    init(from sender: Side, agreement: WebSocketAgreement) {
        self.sender = sender
        reader = WebSocketReader(from: sender, agreement: agreement)
    }

    /// What comes next; `nil` when more bytes are needed.
    mutating func next(
        _ input: borrowing ByteQueue,
        mayDrop: (WebSocketGate.Question) -> Bool
    ) -> Step? {
        if isBroken { return rest(of: input) }
        do throws(WebSocketFailure) {
            switch try reader.next(input.bytes) {
            case nil: return nil
            case .head(let head):
                begin(head, mayDrop)
                return Step(count: head.headerLength, isDropped: isFrameDropped)
            case .payload(let count): return Step(count: count, isDropped: isFrameDropped)
            case .end:
                end()
                return Step(count: 0, isDropped: false)
            }
        } catch {
            isBroken = true
            waitingControls = []
            waitingMessages = []
            return rest(of: input)
        }
    }

    /// After a violation: the peers decide what it means.
    private func rest(of input: borrowing ByteQueue) -> Step? {
        input.isEmpty ? nil : Step(count: input.count, isDropped: wasClosedByUs)
    }

    private mutating func begin(
        _ head: WebSocketFrameHead,
        _ mayDrop: (WebSocketGate.Question) -> Bool
    ) {
        frame = head
        if wasClosedByUs {
            isFrameDropped = true
            return
        }
        if head.opcode == .continuation {
            isFrameDropped = isMessageDropped
            return
        }
        let kind = WebSocketMessage.Kind(rawValue: head.opcode.rawValue) ?? .unread
        isFrameDropped = mayDrop(
            WebSocketGate.Question(kind: kind, sender: sender, isCompressed: head.isCompressed)
        )
        if !head.opcode.isControl { isMessageDropped = isFrameDropped }
    }

    private mutating func end() {
        guard let ended = frame.take(), !isFrameDropped else { return }
        if ended.opcode == .close { wasClosed = true }
        if !ended.opcode.isControl { isInsideForwarded = !ended.isFinal }
    }

    /// Sends a frame of our own, or lets it wait.
    mutating func inject(
        _ opcode: WebSocketOpcode,
        _ bytes: [UInt8],
        to output: inout ByteQueue
    ) throws(WebSocketFailure) {
        guard !wasClosed, !isBroken else {
            throw WebSocketFailure(
                .frameAfterClose,
                "Nothing can be sent in the place of the \(sender.rawValue): it has closed."
            )
        }
        if opcode.isControl { waitingControls.append(bytes) } else { waitingMessages.append(bytes) }
        if opcode == .close { (wasClosed, hasCloseWaiting) = (true, true) }
        if frame == nil { release(to: &output) }
    }

    /// Sends what waits and may stand here, between two frames.
    mutating func release(to output: inout ByteQueue) {
        guard !waitingControls.isEmpty || !waitingMessages.isEmpty else { return }
        if !isInsideForwarded {
            for message in waitingMessages { output.append(message) }
            waitingMessages = []
        }
        for control in waitingControls { output.append(control) }
        waitingControls = []
        wasClosedByUs = wasClosedByUs || hasCloseWaiting
        hasCloseWaiting = false
    }
}
