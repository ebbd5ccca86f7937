import PinholeModel

// The numbers that represent names in columns. A number never gets a second meaning.

/// The message that a part of a body belongs to.
enum BodyOwnerCode: Int64 {
    case request = 0
    case response = 1

    init(_ owner: BodyOwner) { self = owner == .request ? .request : .response }
}

/// The sender of a message.
enum SideCode: Int64 {
    case client = 0
    case server = 1

    init(_ side: Side) { self = side == .client ? .client : .server }

    var side: Side { self == .client ? .client : .server }
}

/// The state of a WebSocket message, as bits.
struct MessageState: OptionSet {
    let rawValue: Int64

    static let complete = MessageState(rawValue: 1)
    static let compressed = MessageState(rawValue: 2)
    static let invalidText = MessageState(rawValue: 4)
    static let dropped = MessageState(rawValue: 8)
    static let injected = MessageState(rawValue: 16)

    static let notesByBit: [(MessageState, WebSocketMessage.Note)] = [
        (.invalidText, .invalidText), (.dropped, .dropped), (.injected, .injected),
    ]

    init(rawValue: Int64) { self.rawValue = rawValue }

    init(_ message: WebSocketMessage) {
        var state: MessageState = message.isComplete ? [.complete] : []
        if message.isCompressed { state.insert(.compressed) }
        for (bit, note) in Self.notesByBit where message.notes.contains(note) { state.insert(bit) }
        self = state
    }

    /// The notes among the bits.
    var notes: [WebSocketMessage.Note] { Self.notesByBit.filter { contains($0.0) }.map(\.1) }
}

/// Heads of interim responses in one blob, each after its length in four bytes, highest byte first.
enum HeadList {
    /// Returns the blob of `heads`.
    static func encode(_ heads: [[UInt8]]) -> [UInt8] {
        guard !heads.isEmpty else { return [] }
        var blob: [UInt8] = []
        for head in heads {
            let count = UInt32(truncatingIfNeeded: head.count)
            for shift in stride(from: 24, through: 0, by: -8) {
                blob.append(UInt8(count >> UInt32(shift) & 0xff))
            }
            blob.append(contentsOf: head)
        }
        return blob
    }

    /// Returns the heads in `blob`; an incomplete one at the end is left out.
    static func decode(_ blob: [UInt8]) -> [[UInt8]] {
        var heads: [[UInt8]] = []
        var rest = blob[...]
        while rest.count >= 4 {
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard count <= rest.count else { break }
            heads.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return heads
    }
}
