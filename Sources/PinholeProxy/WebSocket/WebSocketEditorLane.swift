import PinholeContent
import PinholeModel
import PinholeWire

/// A ``WebSocketEditor``'s state for one direction: divides the bytes into control frames and whole messages.
///
/// A message is held until its last frame has arrived, up to a limit; longer messages pass unread. Control frames pass
/// between the frames of a message, as RFC 6455 §5.5 allows. After a violation of the protocol, everything passes.
struct WebSocketEditorLane {
    /// A part of the input, and what to do with it.
    enum Step: Sendable, Equatable {
        /// Bytes that pass unread and unchanged.
        case pass([UInt8])
        /// A control frame, with its payload.
        case control(WebSocketMessage.Kind, frame: [UInt8], payload: [UInt8])
        /// A whole message, with its frames and its content.
        case message(WebSocketMessage.Kind, isCompressed: Bool, frames: [UInt8], content: [UInt8])
        /// The direction cannot continue; the text says why.
        case lost(String)
    }

    private enum Mode {
        /// Messages are read.
        case reading
        /// The rest of a message that is too long passes unread.
        case streaming
        /// Everything passes unread.
        case passing
        /// Nothing passes any more.
        case shut
    }

    /// The largest size of a message that is held, and of its content, in bytes.
    static let limit = 4 << 20

    let sender: Side
    private let takesOver: Bool
    private var reader: WebSocketReader
    /// The decoder of compressed messages; `nil` if no compression was agreed upon.
    private let window: InflateWindow?
    private var inbox = ByteQueue()
    private var mode = Mode.reading
    private var frame: WebSocketFrameHead?
    private var frameBytes: [UInt8] = []
    private var framePayload: [UInt8] = []
    /// The head of the first frame of the current message; `nil` between two messages.
    private var first: WebSocketFrameHead?
    private var messageBytes: [UInt8] = []
    private var messagePayload: [UInt8] = []
    /// Whether the receiver's context differs from the sender's, so that no compressed message can pass any more.
    private(set) var hasDiverged = false
    private(set) var wasClosed = false
    /// The frames of our own messages that wait for the end of a message that passes unread.
    private var waiting: [[UInt8]] = []

    init(from sender: Side, agreement: WebSocketAgreement) {
        self.sender = sender
        reader = WebSocketReader(from: sender, agreement: agreement)
        window = agreement.deflate.map { _ in InflateWindow() }
        takesOver = agreement.deflate?.takesOverContext(from: sender) ?? false
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>) { inbox.append(bytes) }

    /// Returns the next step; `nil` if more bytes are needed.
    mutating func next() -> Step? {
        while true {
            switch mode {
            case .shut:
                inbox.removeAll()
                return nil
            case .passing: return inbox.isEmpty ? nil : .pass(take(inbox.count))
            case .reading, .streaming: break
            }
            do throws(WebSocketFailure) {
                switch try element() {
                case nil: return nil
                case .head(let head): begin(head)
                case .payload(let count): if let step = read(count) { return step }
                case .end: if let step = endFrame() { return step }
                }
            } catch {
                mode = .passing
                return .pass(held() + take(inbox.count))
            }
        }
    }

    /// Returns the bytes that were not passed on yet, because the sender's stream has ended.
    mutating func finish() -> [UInt8] { mode == .shut ? [] : held() + take(inbox.count) }

    /// Notes that a compressed message does not reach the receiver unchanged, so that its context differs from now on.
    mutating func noteDivergence() { if takesOver { hasDiverged = true } }

    /// Whether a message of our own may be sent now, because no other message has passed in part.
    private var mayInterrupt: Bool { mode == .reading || (mode == .streaming && first == nil) }

    /// Takes a message of our own.
    ///
    /// - Returns: The bytes to send now; empty if the message has to wait.
    mutating func inject(_ frame: [UInt8]) throws(WebSocketFailure) -> [UInt8] {
        guard !wasClosed, mode == .reading || mode == .streaming else {
            throw WebSocketFailure(
                .frameAfterClose,
                "Nothing can be sent in the place of the \(sender.rawValue): it has closed, or is not read any more."
            )
        }
        guard !mayInterrupt else { return frame }
        waiting.append(frame)
        return []
    }

    /// Removes and returns the waiting bytes that may be sent now.
    mutating func released() -> [UInt8] {
        guard mayInterrupt, !waiting.isEmpty else { return [] }
        defer { waiting = [] }
        return waiting.flatMap(\.self)
    }

    // MARK: Frames

    private mutating func element() throws(WebSocketFailure) -> WebSocketElement? {
        var current = reader
        defer { reader = current }
        return try current.next(inbox.bytes)
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { inbox.consume(count) }
        return inbox.prefix(count)
    }

    private mutating func held() -> [UInt8] {
        defer { (messageBytes, frameBytes, messagePayload, framePayload) = ([], [], [], []) }
        return messageBytes + frameBytes
    }

    private mutating func begin(_ head: WebSocketFrameHead) {
        frame = head
        frameBytes = take(head.headerLength)
        framePayload = []
        if !head.opcode.isControl, head.opcode != .continuation { first = head }
    }

    private mutating func read(_ count: Int) -> Step? {
        guard let frame else { return nil }
        var payload = take(count)
        frameBytes += payload
        if mode == .streaming, !frame.opcode.isControl { return stream() }
        frame.mask?.apply(to: &payload, from: Int64(framePayload.count))
        framePayload += payload
        guard !frame.opcode.isControl, messageBytes.count + frameBytes.count > Self.limit else { return nil }
        return overflow()
    }

    /// Stops reading a message that is too long.
    private mutating func overflow() -> Step {
        let isCompressed = first?.isCompressed ?? false
        guard !isCompressed || !hasDiverged else { return lose("a message of more than \(Self.limit) bytes") }
        // Later messages may refer to this one, which is not read.
        mode = isCompressed && takesOver ? .passing : .streaming
        return .pass(held())
    }

    private mutating func lose(_ reason: String) -> Step {
        mode = .shut
        _ = held()
        return .lost("\(reason) after rules had changed compressed messages")
    }

    private mutating func stream() -> Step? {
        defer { frameBytes = [] }
        return frameBytes.isEmpty ? nil : .pass(frameBytes)
    }

    private mutating func endFrame() -> Step? {
        guard let ended = frame.take() else { return nil }
        if ended.opcode.isControl {
            defer { (frameBytes, framePayload) = ([], []) }
            if ended.opcode == .close { wasClosed = true }
            let kind = WebSocketMessage.Kind(rawValue: ended.opcode.rawValue) ?? .unread
            return .control(kind, frame: frameBytes, payload: framePayload)
        }
        if mode == .streaming {
            if ended.isFinal {
                first = nil
                defer { mode = .reading }
                // An empty last frame has no payload with which its header could have passed.
                return stream() ?? .pass([])
            }
            return stream()
        }
        messageBytes += frameBytes
        messagePayload += framePayload
        (frameBytes, framePayload) = ([], [])
        return ended.isFinal ? endMessage() : nil
    }

    private mutating func endMessage() -> Step? {
        guard let head = first.take() else { return nil }
        let kind = WebSocketMessage.Kind(rawValue: head.opcode.rawValue) ?? .unread
        var content = messagePayload
        if head.isCompressed {
            if !takesOver { window?.reset() }
            do throws(WebSocketInflater.Failure) {
                guard let window else { throw .notAgreed }
                content = try window.inflate(messagePayload, limit: Self.limit)
            } catch {
                if hasDiverged { return lose("a message that cannot be decompressed (\(error))") }
                if takesOver { mode = .passing }
                return .pass(held())
            }
        }
        let frames = held()
        return .message(kind, isCompressed: head.isCompressed, frames: frames, content: content)
    }
}
