import PinholeModel
import PinholeWire

/// Watches one direction of a WebSocket, and records its messages.
struct WebSocketLane: Sendable {
    let recorder: WebSocketRecorder
    private let sender: Side
    private var reader: WebSocketReader
    /// The beginning of a header or of a control frame whose rest has not arrived; at most 139 bytes.
    private var carry: [UInt8] = []
    private var frame: WebSocketFrameHead?
    /// The number of bytes of the frame's payload that were read.
    private var position: Int64 = 0
    /// The current message of text or binary data; `nil` between two messages.
    private var data: WebSocketMessage?
    private var text = UTF8Check()
    /// The current control frame; `nil` if there is none.
    private var control: WebSocketMessage?
    /// The record of the bytes that are not read any more; `nil` while messages are read.
    private var unread: WebSocketMessage?
    private(set) var failure: WebSocketFailure?
    /// The time at which the last bytes arrived.
    private var latest: Timestamp?
    /// Whether the sender has sent a close frame.
    private(set) var wasClosed = false
    /// Whether a message that begins now is not passed on.
    private var isDropped = false

    /// The number of payload bytes that are unmasked at one time, which bounds the memory for a long message.
    private static let pieceSize = 32 << 10

    init(from sender: Side, agreement: WebSocketAgreement, recorder: WebSocketRecorder) {
        self.sender = sender
        self.recorder = recorder
        reader = WebSocketReader(from: sender, agreement: agreement)
    }

    /// Reads bytes of the sender.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isDropped: Whether a message that begins in them is not passed on.
    ///   - now: The time.
    ///   - number: The number of the last message of both directions.
    ///   - events: The list to which the records of complete messages are appended.
    mutating func receive(
        _ bytes: ArraySlice<UInt8>,
        isDropped: Bool,
        at now: Timestamp,
        _ number: inout Int64,
        into events: inout [FlowEvent]
    ) {
        var rest = bytes
        latest = now
        self.isDropped = isDropped
        while !carry.isEmpty, unread == nil, let byte = rest.popFirst() {
            // The header itself says how long it is, so it is extended byte by byte; it is short.
            carry.append(byte)
            let whole = carry[...]
            carry = Array(whole.dropFirst(read(whole, at: now, &number, into: &events)))
        }
        if unread == nil, carry.isEmpty {
            rest = rest.dropFirst(read(rest, at: now, &number, into: &events))
            if unread == nil { carry = Array(rest) }
        }
        guard unread != nil else { return }
        keepUnread(carry[...], at: now, into: &events)
        carry = []
        keepUnread(rest, at: now, into: &events)
    }

    /// Reads the frames in the bytes.
    ///
    /// - Returns: The number of bytes that were read. If `unread` is set, the others must not be read.
    private mutating func read(
        _ bytes: ArraySlice<UInt8>,
        at now: Timestamp,
        _ number: inout Int64,
        into events: inout [FlowEvent]
    ) -> Int {
        var rest = bytes
        do throws(WebSocketFailure) {
            while let element = try reader.next(rest.span) {
                switch element {
                case .head(let head):
                    begin(head, at: now, &number)
                    rest = rest.dropFirst(head.headerLength)
                case .payload(let count):
                    take(rest.prefix(count), at: now, into: &events)
                    rest = rest.dropFirst(count)
                case .end: endFrame(at: now, into: &events)
                }
            }
        } catch {
            failure = error
            stopReading(error.detail, at: now, &number, into: &events)
        }
        return bytes.count - rest.count
    }

    /// Whether a message may be inserted here.
    var isBetweenMessages: Bool {
        unread == nil && carry.isEmpty && frame == nil && !reader.isInsideMessage
    }

    /// Returns after how many of the next bytes a message may be inserted; `nil` if it cannot.
    func messageEnd(in bytes: ArraySlice<UInt8>) -> Int? {
        guard unread == nil else { return nil }
        var reader = reader
        var rest = (carry + bytes)[...]
        while let element = try? reader.next(rest.span) {
            switch element {
            case .head(let head): rest = rest.dropFirst(head.headerLength)
            case .payload(let count): rest = rest.dropFirst(count)
            case .end: if !reader.isInsideMessage { return bytes.count - rest.count }
            }
        }
        return nil
    }

    // MARK: Frames

    private mutating func begin(_ head: WebSocketFrameHead, at now: Timestamp, _ number: inout Int64) {
        frame = head
        position = 0
        if head.opcode == .continuation {
            data?.frames += 1
            return
        }
        number += 1
        let kind = Self.kind(of: head.opcode)
        var message = recorder.begin(kind, number: number, from: sender, at: now)
        message.isCompressed = head.isCompressed
        if isDropped { message.notes = [.dropped] }
        if head.opcode.isControl {
            control = message
        } else {
            data = message
            text = UTF8Check()
        }
    }

    private mutating func take(
        _ payload: ArraySlice<UInt8>,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        guard let frame, var message = frame.opcode.isControl ? control : data else { return }
        // The record must not be in two places, because otherwise appending to it copies its bytes.
        if frame.opcode.isControl { control = nil } else { data = nil }
        message.ended = now
        var rest = payload
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceSize)
            rest = rest.dropFirst(piece.count)
            add(piece, to: &message, mask: frame.mask, into: &events)
        }
        if frame.opcode.isControl { control = message } else { data = message }
    }

    private mutating func add(
        _ piece: ArraySlice<UInt8>,
        to message: inout WebSocketMessage,
        mask: WebSocketMaskKey?,
        into events: inout [FlowEvent]
    ) {
        let isChecked = message.kind == .text && !message.isCompressed && text.isValid
        let kept = recorder.room(in: message, for: piece.count)
        var bytes: [UInt8] = []
        if isChecked || kept > 0 {
            bytes = Array(isChecked ? piece : piece.prefix(kept))
            mask?.apply(to: &bytes, from: position)
            if isChecked { text.receive(bytes.span) }
            if bytes.count > kept { bytes.removeLast(bytes.count - kept) }
        }
        recorder.keep(bytes, of: piece.count, in: &message, into: &events)
        position += Int64(piece.count)
    }

    private mutating func endFrame(at now: Timestamp, into events: inout [FlowEvent]) {
        guard let ended = frame.take() else { return }
        if ended.opcode == .close { wasClosed = true }
        if ended.opcode.isControl {
            guard let message = control.take() else { return }
            return record(message, at: now, into: &events)
        }
        guard ended.isFinal, let message = data.take() else { return }
        record(message, at: now, into: &events)
    }

    private func record(
        _ finished: WebSocketMessage,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        var message = finished
        message.ended = now
        message.isComplete = true
        if message.kind == .text, !message.isCompressed, !text.isComplete {
            message.notes.append(.invalidText)
        }
        events.append(.webSocketMessage(message))
    }

    // MARK: The end

    /// Records the messages that have begun; from now on, bytes are kept without being read.
    private mutating func stopReading(
        _ detail: String,
        at now: Timestamp,
        _ number: inout Int64,
        into events: inout [FlowEvent]
    ) {
        flush(into: &events)
        number += 1
        var message = recorder.begin(.unread, number: number, from: sender, at: now)
        message.detail = detail
        unread = message
        // The failure is recorded at once, because the connection may last for hours.
        if failure != nil { events.append(.webSocketMessage(message)) }
    }

    /// Records everything that is left at the end of the stream.
    mutating func end(_ number: inout Int64, into events: inout [FlowEvent]) {
        if let latest, !carry.isEmpty {
            if unread == nil {
                stopReading("the connection ended inside of a frame", at: latest, &number, into: &events)
            }
            keepUnread(carry[...], at: latest, into: &events)
            carry = []
        }
        flush(into: &events)
        guard let message = unread.take(), failure != nil || message.length > 0 else { return }
        events.append(.webSocketMessage(message))
    }

    private mutating func flush(into events: inout [FlowEvent]) {
        if let message = control.take() { events.append(.webSocketMessage(message)) }
        if let message = data.take() { events.append(.webSocketMessage(message)) }
    }

    private mutating func keepUnread(
        _ bytes: ArraySlice<UInt8>,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        guard !bytes.isEmpty, var message = unread.take() else { return }
        message.ended = now
        let kept = recorder.room(in: message, for: bytes.count)
        recorder.keep(Array(bytes.prefix(kept)), of: bytes.count, in: &message, into: &events)
        unread = message
    }

    private static func kind(of opcode: WebSocketOpcode) -> WebSocketMessage.Kind {
        switch opcode {
        case .text: .text
        case .binary, .continuation: .binary
        case .close: .close
        case .ping: .ping
        case .pong: .pong
        }
    }
}
