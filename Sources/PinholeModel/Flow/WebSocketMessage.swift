/// A message or a control frame of a WebSocket (RFC 6455), as it passed.
///
/// The payload is unmasked. If permessage-deflate (RFC 7692) was agreed on, the payload stays compressed;
/// ``isCompressed`` is set then.
package struct WebSocketMessage: Sendable, Equatable {
    /// The kind of message; the raw values are the opcodes of the RFC.
    package enum Kind: UInt8, Sendable, CaseIterable {
        /// Bytes that are not a message: after a violation of the protocol, or after a frame that was cut off.
        ///
        /// The payload is the bytes as received.
        case unread = 0
        /// A message of UTF-8 text (RFC 6455 §5.6).
        case text = 1
        /// A message of arbitrary bytes.
        case binary = 2
        /// A close frame, by which the sender ends its side (RFC 6455 §5.5.1).
        case close = 8
        /// A ping, which asks for a pong.
        case ping = 9
        /// A pong, which answers a ping or shows that the sender is alive.
        case pong = 10
    }

    /// A property of a message that neither its bytes nor its kind show.
    package enum Note: String, Sendable, CaseIterable {
        /// An uncompressed text that is not UTF-8 (RFC 6455 §8.1).
        case invalidText
        /// The proxy did not forward the message.
        case dropped
        /// The proxy sent the message in place of its ``sender``.
        case injected
    }

    /// The exchange that opened the WebSocket.
    package var exchange: ExchangeID
    /// The position in the exchange, both directions together, in the order of the first bytes; from 1.
    package var number: Int64
    /// The side that sent the message.
    package var sender: Side
    /// The kind of the message.
    package var kind: Kind
    /// The time at which the first byte arrived.
    package var started: Timestamp
    /// The time at which the last byte arrived; for an incomplete message, the last that did arrive.
    package var ended: Timestamp
    /// The number of frames of the message.
    package var frames: Int64 = 1
    /// The payload bytes that are stored in the record itself.
    ///
    /// A longer payload continues in ``FlowEvent/webSocketPart(_:number:_:)``s.
    package var inline: [UInt8] = []
    /// The true length of the payload as sent, whether captured or not.
    package var length: Int64 = 0
    /// The number of payload bytes that were captured, in the record and in parts.
    package var capturedLength: Int64 = 0
    /// Whether the payload is compressed by permessage-deflate (RFC 7692 §6: RSV1).
    package var isCompressed = false
    /// Whether the whole message passed.
    package var isComplete = false
    /// Further properties of the message.
    package var notes: [Note] = []
    /// The violation of the protocol, in a sentence, if the bytes were not read as messages.
    package var detail: String?

    /// Creates the record of a message at its first byte.
    package init(
        exchange: ExchangeID,
        number: Int64,
        sender: Side,
        kind: Kind,
        started: Timestamp
    ) {
        self.exchange = exchange
        self.number = number
        self.sender = sender
        self.kind = kind
        self.started = started
        ended = started
    }

    /// Whether more bytes passed than were captured, because of the limit.
    package var isTruncated: Bool { capturedLength < length }

    /// The code of a close frame (RFC 6455 §7.4); `nil` if there is none.
    package var closeCode: UInt16? {
        guard kind == .close, inline.count >= 2 else { return nil }
        return UInt16(inline[0]) << 8 | UInt16(inline[1])
    }

    /// The status of a close frame, 1005 if the frame has no code (RFC 6455 §7.1.5); `nil` for another message, or if
    /// the code was not kept.
    package var closeStatus: UInt16? { closeCode ?? (kind == .close && length == 0 ? 1005 : nil) }

    /// The reason of a close frame; `nil` if there is none.
    package var closeReason: String? {
        guard kind == .close, inline.count > 2 else { return nil }
        return String(decoding: inline.dropFirst(2), as: UTF8.self)
    }
}
