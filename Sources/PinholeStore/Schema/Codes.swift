import PinholeModel

// The numbers that stand for names in columns. A number is never given a second meaning.

/// Whose body a part belongs to.
enum BodyOwnerCode: Int64 {
    case request = 0
    case response = 1

    init(_ owner: BodyOwner) { self = owner == .request ? .request : .response }
}

/// Who sent a message.
enum SideCode: Int64 {
    case client = 0
    case server = 1

    init(_ side: Side) { self = side == .client ? .client : .server }

    var side: Side { self == .client ? .client : .server }
}

extension ExchangeOutcome.Kind {
    /// The number in its column, which is NULL while the exchange goes on.
    var code: Int64 {
        switch self {
        case .completed: 0
        case .answeredByProxy: 1
        case .abortedByClient: 2
        case .abortedByServer: 3
        case .failed: 4
        case .abortedByUser: 5
        case .closedByClient: 6
        }
    }
}

extension ExchangeOutcome {
    /// The outcome of a row; `nil` while the exchange goes on.
    init?(code: Int64?, _ detail: String?) {
        guard let code else { return nil }
        self.init(Kind.allCases.first { $0.code == code } ?? .failed, detail ?? "")
    }
}

/// What is there of an exchange.
struct ExchangeState: OptionSet {
    let rawValue: Int64

    static let requestComplete = ExchangeState(rawValue: 1)
    static let hasResponse = ExchangeState(rawValue: 2)
    static let responseComplete = ExchangeState(rawValue: 4)

    init(rawValue: Int64) { self.rawValue = rawValue }

    init(_ record: ExchangeRecord) {
        self = record.request.body.isComplete ? [.requestComplete] : []
        guard let response = record.response else { return }
        formUnion(response.body.isComplete ? [.hasResponse, .responseComplete] : [.hasResponse])
    }
}

/// What is to be said of a message of a WebSocket, as bits.
struct MessageState: OptionSet {
    let rawValue: Int64

    static let complete = MessageState(rawValue: 1)
    static let compressed = MessageState(rawValue: 2)
    static let invalidText = MessageState(rawValue: 4)
    static let dropped = MessageState(rawValue: 8)
    static let injected = MessageState(rawValue: 16)

    private static let notes: [(MessageState, WebSocketMessage.Note)] = [
        (.invalidText, .invalidText), (.dropped, .dropped), (.injected, .injected),
    ]

    init(rawValue: Int64) { self.rawValue = rawValue }

    init(_ message: WebSocketMessage) {
        var state: MessageState = message.isComplete ? [.complete] : []
        if message.isCompressed { state.insert(.compressed) }
        for (bit, note) in Self.notes where message.notes.contains(note) { state.insert(bit) }
        self = state
    }

    /// The notes among the bits.
    var notes: [WebSocketMessage.Note] { Self.notes.filter { contains($0.0) }.map(\.1) }
}

/// Notes as bits, in an order that never changes.
enum NoteBits {
    private static let order: [ExchangeNote] = [
        .altSvcRemoved, .connectionReused, .retried, .upgraded, .answeredEarly, .webSocket, .webSocketBroken,
        .interimLeftOut, .ruled, .viaAdded, .clientCertificateMissing,
    ]

    /// The bits of `notes`.
    static func bits(_ notes: [ExchangeNote]) -> Int64 {
        notes.reduce(0) { $0 | 1 << Int64(position(of: $1)) }
    }

    /// The notes of `bits`, in the order of the bits.
    static func notes(_ bits: Int64) -> [ExchangeNote] {
        bits == 0 ? [] : order.filter { bits & 1 << Int64(position(of: $0)) != 0 }
    }

    /// A new note fails to compile here until it has a position, and belongs at the end of `order`.
    private static func position(of note: ExchangeNote) -> Int {
        switch note {
        case .altSvcRemoved: 0
        case .connectionReused: 1
        case .retried: 2
        case .upgraded: 3
        case .answeredEarly: 4
        case .webSocket: 5
        case .webSocketBroken: 6
        case .interimLeftOut: 7
        case .ruled: 8
        case .viaAdded: 9
        case .clientCertificateMissing: 10
        }
    }
}

/// Heads of interim responses in one blob: each with its length in four bytes before it, highest first.
enum HeadList {
    /// The blob of `heads`.
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

    /// The heads in `blob`; what is cut off is left out.
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
