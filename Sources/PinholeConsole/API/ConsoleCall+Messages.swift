import PinholeModel
import PinholeRuntime
import PinholeSession

/// Messages that a user sends in an open WebSocket.
extension ConsoleCall {
    /// The maximum size of such a message, in bytes.
    private static let messageBytes = 1 << 20

    func sendMessage() async throws -> ConsoleAnswer {
        let id = try id()
        let message = try ownMessage(in: ExchangeID(rawValue: id))
        switch try await control().send(message) {
        case .taken: return ConsoleAnswer(204)
        case .notOpen:
            throw Problem(
                409,
                "not open",
                "\(id) is not a WebSocket that stands",
                remedy: "the list shows those that stand: filter “websocket & running”"
            )
        case .refused(let reason): throw Problem(409, "not sent", reason)
        }
    }

    private func ownMessage(in exchange: ExchangeID) throws(Problem) -> OwnMessage {
        let order = try order(MessageOrder.self)
        guard let receiver = Side(rawValue: order.to) else {
            throw Problem.bad("to", expected: "“client” or “server”", found: order.to)
        }
        let payload: [UInt8]
        switch (order.text, order.base64) {
        case (let text?, nil): payload = Array(text.utf8)
        case (nil, let text?):
            guard let bytes = Base64.decode(text.utf8) else {
                throw Problem.bad("base64", expected: "bytes in Base64", instead: "something else")
            }
            payload = bytes
        default: throw Problem(400, "bad body", "expected a text in either text or base64")
        }
        guard payload.count <= Self.messageBytes else {
            throw Problem(
                413,
                "too long",
                "expected at most \(Self.messageBytes) bytes, found \(payload.count)"
            )
        }
        let kind: WebSocketMessage.Kind = order.text == nil ? .binary : .text
        return OwnMessage(in: exchange, to: receiver, kind, payload)
    }
}
