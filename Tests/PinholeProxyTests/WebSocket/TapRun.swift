import PinholeModel
import PinholeTestKit
import PinholeWire

@testable import PinholeProxy

/// What a tap records of bytes that come in chunks.
struct TapRun {
    private(set) var tap: WebSocketTap
    private var events: [FlowEvent] = []
    /// The time, which goes on by a millisecond with each chunk.
    private var now = Timestamp(microseconds: 0)
    /// The most bytes that an event holds.
    private(set) var largest = 0

    static let key = WebSocketMaskKey(0x37, 0xfa, 0x21, 0x3d)

    init(
        _ agreement: WebSocketAgreement = WebSocketAgreement(),
        limits: Limits = Limits(),
        keepsPayloads: Bool = true
    ) {
        tap = WebSocketTap(
            ExchangeID(rawValue: 7),
            agreement: agreement,
            limits: limits,
            keepsPayloads: keepsPayloads
        )
    }

    /// Whether a side broke the protocol, and how.
    var failure: WebSocketFailure? { tap.failure }

    /// Feeds bytes of a side.
    mutating func feed(_ bytes: [UInt8], from side: Side, chunk: Int = .max) {
        for piece in Chunking.chunks(of: bytes, size: min(chunk, max(1, bytes.count))) {
            now = now + .milliseconds(1)
            tap.receive(piece[...], from: side, at: now, into: &events)
        }
    }

    /// Feeds a frame of a side, masked where it has to be.
    mutating func feed(
        _ opcode: WebSocketOpcode,
        _ payload: [UInt8],
        isFinal: Bool = true,
        isCompressed: Bool = false,
        from side: Side,
        chunk: Int = .max
    ) throws {
        let frame = try WebSocketWriter.frame(
            opcode,
            payload,
            isFinal: isFinal,
            isCompressed: isCompressed,
            mask: side == .client ? Self.key : nil,
            from: side
        )
        feed(frame, from: side, chunk: chunk)
    }

    /// Ends the WebSocket.
    mutating func end() { tap.end(into: &events) }

    /// The last record of each message, by number.
    var messages: [WebSocketMessage] {
        var messages: [Int64: WebSocketMessage] = [:]
        for case .webSocketMessage(let message) in events { messages[message.number] = message }
        return messages.values.sorted { $0.number < $1.number }
    }

    /// All captured bytes of a message.
    func payload(of message: WebSocketMessage) -> [UInt8] {
        events.reduce(message.inline) { bytes, event in
            guard case .webSocketPart(_, message.number, let part) = event else { return bytes }
            return bytes + part
        }
    }

    /// The sizes of the parts.
    var parts: [Int] {
        events.compactMap { event in
            guard case .webSocketPart(_, _, let bytes) = event else { return nil }
            return bytes.count
        }
    }
}
