package import PinholeModel
package import PinholeWire

/// Watches both directions of a WebSocket that is relayed, and makes a record of each message.
///
/// The tap changes no byte and holds none back. It knows no connection: the carrier of the WebSocket passes in the
/// bytes of each side in order, in pieces of any size. The carrier is a whole connection (RFC 6455) or one stream of
/// HTTP/2 (RFC 8441).
///
/// After a violation of the protocol, the rest of its direction is recorded as unread bytes. The other direction is still
/// read: the close frame of the peer that noticed the violation says what was wrong.
package struct WebSocketTap: Sendable {
    private var fromClient: WebSocketLane
    private var fromServer: WebSocketLane
    /// The number of the last message.
    private var number: Int64 = 0
    /// The first violation of the protocol; `nil` if there is none.
    package private(set) var failure: WebSocketFailure?

    /// The code of the first close frame; 1005 for a frame without one, 1006 after an end without a frame, and `nil`
    /// before the end or without the payload of the frame.
    package private(set) var closeCode: UInt16?

    /// The number of messages that have begun, in both directions together.
    package var messages: Int64 { number }
    /// The bytes of the payloads of the recorded messages, as they were sent.
    package private(set) var payloadBytes: Int64 = 0

    /// Creates a tap for a WebSocket that was just opened.
    ///
    /// - Parameters:
    ///   - exchange: The exchange that opened the WebSocket.
    ///   - agreement: The extensions that were agreed upon.
    ///   - limits: The limits, which contain the size of the kept part of a message.
    ///   - keepsPayloads: Whether payloads are kept at all.
    package init(
        _ exchange: ExchangeID,
        agreement: WebSocketAgreement,
        limits: Limits,
        keepsPayloads: Bool
    ) {
        let recorder = WebSocketRecorder(exchange, limits: limits, keepsPayloads: keepsPayloads)
        fromClient = WebSocketLane(from: .client, agreement: agreement, recorder: recorder)
        fromServer = WebSocketLane(from: .server, agreement: agreement, recorder: recorder)
    }

    /// Reads bytes that pass.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of `side` that follow those of earlier calls.
    ///   - side: The sender.
    ///   - isDropped: Whether a message that begins in them is not passed on.
    ///   - now: The time.
    ///   - events: The list to which the records of complete messages are appended.
    package mutating func receive(
        _ bytes: ArraySlice<UInt8>,
        from side: Side,
        isDropped: Bool = false,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        let before = events.count
        switch side {
        case .client: fromClient.receive(bytes, isDropped: isDropped, at: now, &number, into: &events)
        case .server: fromServer.receive(bytes, isDropped: isDropped, at: now, &number, into: &events)
        }
        failure = failure ?? lane(side).failure
        note(events[before...])
    }

    private mutating func note(_ events: ArraySlice<FlowEvent>) {
        for case .webSocketMessage(let message) in events {
            payloadBytes += message.length
            if message.kind == .close, closeCode == nil { closeCode = message.closeStatus }
        }
    }

    /// Whether a message may follow the bytes of `side`: it has neither closed nor violated the protocol.
    func mayFollow(_ side: Side) -> Bool { lane(side).failure == nil && !lane(side).wasClosed }

    /// Whether no message of `side` has begun that has not ended.
    func isBetweenMessages(of side: Side) -> Bool { lane(side).isBetweenMessages }

    /// Returns after how many of the next `bytes` of `side` a message has ended and none has begun; `nil` if there is
    /// no such place.
    func messageEnd(in bytes: ArraySlice<UInt8>, from side: Side) -> Int? { lane(side).messageEnd(in: bytes) }

    private func lane(_ side: Side) -> WebSocketLane { side == .client ? fromClient : fromServer }

    /// Records a message that the proxy itself has sent.
    ///
    /// - Parameters:
    ///   - kind: The kind of the message.
    ///   - payload: The payload of the message.
    ///   - side: The side in whose place the message was sent.
    ///   - now: The time.
    ///   - events: The list to which the record is appended.
    package mutating func noteInjected(
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8],
        from side: Side,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        let lane = side == .client ? fromClient : fromServer
        number += 1
        let before = events.count
        lane.recorder.recordInjected(kind, payload, number: number, from: side, at: now, into: &events)
        note(events[before...])
    }

    /// Records the messages that were not complete at the end of the WebSocket.
    ///
    /// - Parameter events: The list to which the records are appended.
    package mutating func end(into events: inout [FlowEvent]) {
        let before = events.count
        fromClient.end(&number, into: &events)
        fromServer.end(&number, into: &events)
        note(events[before...])
        // RFC 6455 §7.1.5. After a violation, a close frame may be among the unread bytes.
        if closeCode == nil, failure == nil, !fromClient.wasClosed, !fromServer.wasClosed { closeCode = 1006 }
    }
}
