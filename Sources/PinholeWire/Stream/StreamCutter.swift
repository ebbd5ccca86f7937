/// Cuts a body into messages, in their order.
///
/// A cutter holds only the body and a position. It parses a message when it is asked for, so a body of a
/// million tiny messages needs no more memory than itself.
package struct StreamCutter: Sendable {
    private let body: [UInt8]
    private let format: StreamFormat
    private var position = 0

    /// The largest block of an event stream that is parsed, in bytes.
    ///
    /// Nobody reads longer events.
    private static let eventBytes = 4 << 20

    /// Creates a cutter; `nil` if bodies of the format are not cut.
    ///
    /// - Parameters:
    ///   - body: The body without content codings and base64.
    ///   - format: The format of the body.
    package init?(_ body: [UInt8], _ format: StreamFormat) {
        guard format != .replacedParts else { return nil }
        self.body = body
        self.format = format
        // WHATWG HTML §9.2.6: a byte order mark at the start is not part of the stream.
        if format == .eventStream, body.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
    }

    /// Returns the bytes of a payload.
    ///
    /// - Parameter message: A message of this body.
    /// - Returns: Its payload.
    package func payload(of message: StreamMessage) -> ArraySlice<UInt8> {
        body[message.payload.clamped(to: 0..<body.count)]
    }

    /// Cuts the next message.
    ///
    /// - Returns: The message; `nil` at the end.
    package mutating func next() -> StreamMessage? {
        switch format {
        case .eventStream: nextEvent()
        case .jsonLines: nextLine()
        case .jsonSequence: nextSequenceText()
        case .grpc, .grpcWeb, .grpcWebText, .connect: nextFrame()
        case .replacedParts: nil
        }
    }

    // MARK: Server-sent events

    private mutating func nextEvent() -> StreamMessage? {
        var event = ServerSentEvent()
        var start = position
        while position < body.count {
            let (line, isEnded) = takeLine()
            if line.isEmpty, isEnded {
                guard event.isEmpty else {
                    return StreamMessage(
                        offset: start,
                        end: position,
                        payload: start..<position,
                        content: .event(event)
                    )
                }
                start = position
                continue
            }
            if position - start > Self.eventBytes {
                event.data = []
                return unread(
                    from: start,
                    "this event is longer than \(Self.eventBytes) bytes; the rest is not read"
                )
            }
            event.take(line)
        }
        guard start < position else { return nil }
        var message = StreamMessage(
            offset: start,
            end: position,
            payload: start..<position,
            content: .event(event)
        )
        message.isComplete = false
        message.trouble = "no empty line ends it, so a client drops it"
        return message
    }

    /// Takes a line without its end (CR LF, LF or CR), and whether it has one.
    private mutating func takeLine() -> (ArraySlice<UInt8>, isEnded: Bool) {
        let start = position
        while position < body.count {
            let byte = body[position]
            guard byte == 0x0a || byte == 0x0d else {
                position += 1
                continue
            }
            let line = body[start..<position]
            position += byte == 0x0d && position + 1 < body.count && body[position + 1] == 0x0a ? 2 : 1
            return (line, true)
        }
        return (body[start...], false)
    }

    // MARK: Records

    private mutating func nextLine() -> StreamMessage? {
        while position < body.count {
            let start = position
            let newline = body[start...].firstIndex(of: 0x0a)
            position = newline.map { $0 + 1 } ?? body.count
            var end = newline ?? body.count
            if end > start, body[end - 1] == 0x0d { end -= 1 }
            guard body[start..<end].contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
            // The last line may lack an end.
            return StreamMessage(offset: start, end: position, payload: start..<end, content: .record)
        }
        return nil
    }

    private mutating func nextSequenceText() -> StreamMessage? {
        while position < body.count {
            let start = position
            guard body[start] == 0x1e else {
                position = body[start...].firstIndex(of: 0x1e) ?? body.count
                return unread(from: start, "no record separator stands before it (RFC 7464 §2.1)")
            }
            position = body[(start + 1)...].firstIndex(of: 0x1e) ?? body.count
            var end = position
            while end > start + 1, [0x0a, 0x0d, 0x20, 0x09].contains(body[end - 1]) { end -= 1 }
            // Several separators in a row have no text between them.
            guard end > start + 1 else { continue }
            var message = StreamMessage(
                offset: start,
                end: position,
                payload: start + 1..<end,
                content: .record
            )
            if end == position {
                message.isComplete = false
                message.trouble = "no line feed ends it, so it may be cut off (RFC 7464 §2.4)"
            }
            return message
        }
        return nil
    }

    // MARK: Frames

    private mutating func nextFrame() -> StreamMessage? {
        guard position < body.count else { return nil }
        let start = position
        guard body.count - start >= 5 else {
            position = body.count
            return unread(from: start, "\(body.count - start) bytes; a prefix has 5")
        }
        let length = body[(start + 1)..<(start + 5)].reduce(0) { $0 << 8 | Int($1) }
        let frame = StreamFrame(flags: body[start], statedLength: length, format: format)
        let rest = body.count - start - 5
        position = start + 5 + min(length, rest)
        var message = StreamMessage(
            offset: start,
            end: position,
            payload: start + 5..<position,
            content: .frame(frame)
        )
        if length > rest {
            message.isComplete = false
            message.trouble = "its prefix states \(length) bytes, and \(rest) came"
        } else if frame.unknownFlags(in: format) != 0 {
            message.trouble =
                "its prefix has the flags 0x\(String(frame.flags, radix: 16)), which mean nothing"
        }
        return message
    }

    private mutating func unread(from start: Int, _ trouble: String) -> StreamMessage {
        let end = format == .jsonSequence ? position : body.count
        position = end
        var message = StreamMessage(offset: start, end: end, payload: start..<end, content: .unread)
        message.isComplete = false
        message.trouble = trouble
        return message
    }
}
