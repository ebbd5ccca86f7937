package import PinholeModel
package import PinholeWire

/// Watches both directions of a WebSocket that is relayed, and makes a record of each message.
///
/// It changes no byte and holds none back. It belongs to no connection: what carries the WebSocket, a
/// whole connection (RFC 6455) or one stream of HTTP/2 (RFC 8441), tells it the bytes of each side in their
/// order, in whatever pieces they come.
///
/// Once a side breaks the protocol nothing after that is read, in neither direction: the peers decide
/// what becomes of it, and the rest is recorded as the bytes that it is.
package struct WebSocketTap: Sendable {
    private var fromClient: WebSocketLane
    private var fromServer: WebSocketLane
    /// The number of the last message.
    private var number: Int64 = 0
    /// What broke the protocol; `nil` while nothing did.
    package private(set) var failure: WebSocketFailure?

    /// How many messages have begun, both directions together.
    package var messages: Int64 { number }

    /// Creates a tap for a WebSocket that was just opened.
    ///
    /// - Parameters:
    ///   - exchange: The exchange that opened it.
    ///   - agreement: What was agreed upon.
    ///   - limits: How much of a message is kept.
    ///   - keepsPayloads: Whether payloads are kept at all.
    package init(
        _ exchange: ExchangeID,
        agreement: WebSocketAgreement,
        limits: Limits,
        keepsPayloads: Bool
    ) {
        let keeper = WebSocketKeeper(exchange, limits: limits, keepsPayloads: keepsPayloads)
        fromClient = WebSocketLane(from: .client, agreement: agreement, keeper: keeper)
        fromServer = WebSocketLane(from: .server, agreement: agreement, keeper: keeper)
    }

    /// Takes note of bytes that pass.
    ///
    /// - Parameters:
    ///   - bytes: What `side` sent, following on what it sent before.
    ///   - side: Who sent it.
    ///   - isDropped: Whether a message that begins in them is not passed on.
    ///   - now: The time.
    ///   - events: Receives the messages that are over.
    package mutating func receive(
        _ bytes: ArraySlice<UInt8>,
        from side: Side,
        isDropped: Bool = false,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        switch side {
        case .client: fromClient.receive(bytes, isDropped: isDropped, at: now, &number, into: &events)
        case .server: fromServer.receive(bytes, isDropped: isDropped, at: now, &number, into: &events)
        }
        guard failure == nil, let found = fromClient.failure ?? fromServer.failure else { return }
        failure = found
        let detail = "not read, since the \(side.rawValue) had broken the protocol"
        switch side {
        case .client: fromServer.stopReading(detail, at: now, &number, into: &events)
        case .server: fromClient.stopReading(detail, at: now, &number, into: &events)
        }
    }

    /// Whether `side` has not closed and kept to the protocol, so that a message may follow what it sent.
    func mayFollow(_ side: Side) -> Bool { failure == nil && !lane(side).wasClosed }

    /// Whether nothing of a message of `side` has come whose end has not.
    func isBetweenMessages(of side: Side) -> Bool { lane(side).isBetweenMessages }

    /// After how many of the next `bytes` of `side` a message has ended and none has begun; `nil` for nowhere.
    func messageEnd(in bytes: ArraySlice<UInt8>, from side: Side) -> Int? { lane(side).messageEnd(in: bytes) }

    private func lane(_ side: Side) -> WebSocketLane { side == .client ? fromClient : fromServer }

    /// Takes note of a message that the proxy itself sent.
    ///
    /// - Parameters:
    ///   - kind: What it is.
    ///   - payload: Its payload.
    ///   - side: In whose place it was sent.
    ///   - now: The time.
    ///   - events: Receives the message.
    package mutating func noteInjected(
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8],
        from side: Side,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        let lane = side == .client ? fromClient : fromServer
        number += 1
        lane.keeper.recordInjected(kind, payload, number: number, from: side, at: now, into: &events)
    }

    /// Records what had begun and was not finished: the WebSocket is over.
    ///
    /// - Parameter events: Receives the messages.
    package mutating func end(into events: inout [FlowEvent]) {
        fromClient.end(&number, into: &events)
        fromServer.end(&number, into: &events)
    }
}
