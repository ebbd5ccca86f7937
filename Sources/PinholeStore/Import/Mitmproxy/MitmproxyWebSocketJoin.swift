/// Joins the two flows that mitmproxy 4 to 6 wrote for a WebSocket: the handshake, and the messages.
///
/// The flow of the messages has the type `websocket`, and its metadata have the identifier of the handshake, which is
/// written first. Since format 12 both are one flow. A flow is held until the other one is read, in either order, and
/// the joined flow has the form of format 12.
struct MitmproxyWebSocketJoin {
    /// A flow that waits for the other one.
    struct Held {
        /// The offset of the flow in the file.
        let offset: Int64
        /// The dictionary of the flow.
        let flow: TNetstring
        /// The number of bytes of the flow in the file.
        let length: Int

        /// The number of bytes of memory, of which short values take more than in the file.
        var size: Int { length + flow.count * MemoryLayout<TNetstring>.stride }

        /// The place of the flow, for messages.
        var place: String { "byte \(offset)" }
    }

    /// The result of adding a flow.
    enum Addition {
        /// The flow is no part of a WebSocket in two flows.
        case unrelated
        /// The flow is held.
        case held
        /// Both flows are there, and this is the exchange.
        case joined(Held)
        /// The messages belong to no handshake that is known.
        case leftOut
    }

    /// The first format that has the messages in the flow of the handshake.
    private static let joined: Int64 = 12

    /// The largest number of bytes that held flows take in memory, beyond which no more are held.
    private let limit: Int
    private var size = 0
    private var waiting: [String: Held] = [:]
    private var messages: [String: Held] = [:]

    /// Creates a join that holds at most `limit` bytes.
    init(limit: Int) { self.limit = limit }

    /// Adds a flow.
    ///
    /// - Parameters:
    ///   - held: The flow.
    ///   - type: The type of the flow.
    ///   - version: The number of its format.
    /// - Returns: What became of the flow.
    mutating func add(_ held: Held, type: String, version: Int64) -> Addition {
        guard version < Self.joined else { return .unrelated }
        switch type {
        case "websocket": return addMessages(held)
        case "http": return addHandshake(held)
        default: return .unrelated
        }
    }

    /// The handshakes whose messages did not come, in the order of the file.
    var handshakes: [Held] { waiting.values.sorted { $0.offset < $1.offset } }

    /// The flows of messages whose handshakes did not come, in the order of the file.
    var orphans: [Held] { messages.values.sorted { $0.offset < $1.offset } }

    private mutating func addMessages(_ held: Held) -> Addition {
        guard let id = held.flow["metadata"]?["websocket_handshake"]?.text else { return .leftOut }
        if let handshake = waiting.removeValue(forKey: id) {
            size -= handshake.size
            return .joined(Self.join(handshake, held))
        }
        guard messages[id] == nil, size + held.size <= limit else { return .leftOut }
        size += held.size
        messages[id] = held
        return .held
    }

    private mutating func addHandshake(_ held: Held) -> Addition {
        guard held.flow["response"]?["status_code"]?.integer == 101, let id = held.flow["id"]?.text else {
            return .unrelated
        }
        if let messages = messages.removeValue(forKey: id) {
            size -= messages.size
            return .joined(Self.join(held, messages))
        }
        guard waiting[id] == nil, size + held.size <= limit else { return .unrelated }
        size += held.size
        waiting[id] = held
        return .held
    }

    private static func join(_ handshake: Held, _ held: Held) -> Held {
        guard case .dictionary(var members) = handshake.flow else { return handshake }
        let flow = held.flow
        // mitmproxy writes this text for a Close without a reason; its “close_reason” only names the code.
        let reason = flow["close_message"]?.text.flatMap { $0 == "(message missing)" ? nil : $0 }
        // The codes 1005 and 1006 stand for a missing code and a missing Close (RFC 6455 §7.4.1).
        let code = flow["close_code"]?.integer.flatMap { [1005, 1006].contains($0) ? nil : $0 }
        members["websocket"] = .dictionary([
            "messages": flow["messages"] ?? .list([]),
            "closed_by_client": .truth(flow["close_sender"]?.text == "client"),
            "close_code": code.map { .integer($0) } ?? .null,
            "close_reason": reason.map { .text($0) } ?? .null,
            "timestamp_end": flow["server_conn"]?["timestamp_end"] ?? .null,
        ])
        if handshake.flow["error"] == nil, let error = flow["error"] { members["error"] = error }
        return Held(offset: handshake.offset, flow: .dictionary(members), length: 0)
    }
}
