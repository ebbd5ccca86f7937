/// One message or control frame of a WebSocket (RFC 6455), as it passed.
///
/// The payload is unmasked; where permessage-deflate (RFC 7692) was agreed upon it stays compressed, as
/// ``isCompressed`` says.
package struct WebSocketMessage: Sendable, Equatable {
    /// What it is; the numbers of the RFC's opcodes.
    package enum Kind: UInt8, Sendable, CaseIterable {
        /// No message: what followed a violation of the protocol, or was cut off inside of a frame; the
        /// payload is the bytes as they came.
        case unread = 0
        /// UTF-8 (RFC 6455 §5.6).
        case text = 1
        /// Any bytes.
        case binary = 2
        /// The sender is done (RFC 6455 §5.5.1).
        case close = 8
        /// Asks for a pong.
        case ping = 9
        /// Answers a ping, or says that the sender lives.
        case pong = 10
    }

    /// Something about a message that neither its bytes nor its kind tell.
    package enum Note: String, Sendable, CaseIterable {
        /// A text, not compressed, that is no UTF-8 (RFC 6455 §8.1).
        case invalidText
        /// The proxy did not pass it on.
        case dropped
        /// The proxy sent it; the ``sender`` did not.
        case injected
    }

    /// The exchange that opened the WebSocket.
    package var exchange: ExchangeID
    /// The position in the exchange, both directions together, in the order of the first bytes; from 1.
    package var number: Int64
    /// Who sent it.
    package var sender: Side
    /// What it is.
    package var kind: Kind
    /// When its first byte was there.
    package var started: Timestamp
    /// When its last byte was there, or the last that came of it.
    package var ended: Timestamp
    /// How many frames it had.
    package var frames: Int64 = 1
    /// The payload bytes that lie in the record itself.
    ///
    /// A longer payload continues in ``FlowEvent/webSocketPart(_:number:_:)``s.
    package var inline: [UInt8] = []
    /// The true length of the payload as it was sent, captured or not.
    package var length: Int64 = 0
    /// How many bytes of the payload were captured: in the record and in parts.
    package var capturedLength: Int64 = 0
    /// Whether the payload is compressed by permessage-deflate (RFC 7692 §6: RSV1).
    package var isCompressed = false
    /// Whether all of it passed.
    package var isComplete = false
    /// What else is to be said.
    package var notes: [Note] = []
    /// What the sender did wrong, in a sentence, for what was not read.
    package var detail: String?

    /// Creates the record of a message that begins.
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

    /// Whether bytes passed that were not captured, because of the limit.
    package var isTruncated: Bool { capturedLength < length }

    /// The code of a close (RFC 6455 §7.4); `nil` where it has none.
    package var closeCode: UInt16? {
        guard kind == .close, inline.count >= 2 else { return nil }
        return UInt16(inline[0]) << 8 | UInt16(inline[1])
    }

    /// The reason of a close; `nil` where it has none.
    package var closeReason: String? {
        guard kind == .close, inline.count > 2 else { return nil }
        return String(decoding: inline.dropFirst(2), as: UTF8.self)
    }
}
