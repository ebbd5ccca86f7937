/// Receives what is recorded.
///
/// The proxy core knows this capability and nothing of the store.
///
/// Any event loop may call it; it never blocks. Order within one flow is kept.
package protocol FlowSink: AnyObject, Sendable {
    /// A number that no other flow or exchange of this capture has.
    func nextID() -> Int64

    /// Records `events`, in order.
    func record(_ events: [FlowEvent])

    /// Whether so much waits to be written that nothing more should be read from peers.
    var isCongested: Bool { get }

    /// Runs `action` once, as soon as the sink is not congested; at once if it is not.
    func whenRelieved(_ action: @escaping @Sendable () -> Void)

    /// Whether the programs are to be found out that make connections now.
    var wantsClientProcesses: Bool { get }

    /// Notes that the client of a flow sent its first request over TLS: it accepted the certificate.
    func noteRequest(of flow: FlowRecord, at now: Timestamp)
}

extension FlowSink {
    /// Nobody asks.
    package var wantsClientProcesses: Bool { false }

    /// Does nothing.
    package func noteRequest(of flow: FlowRecord, at now: Timestamp) {}
}

/// Something to be recorded.
///
/// Flows and exchanges are recorded as whole values, as often as they change: the last one counts.
package enum FlowEvent: Sendable, Equatable {
    /// A flow as it stands now.
    // Boxed, as the next one: both are large, and are handed on from list to list.
    indirect case flow(FlowRecord)
    /// The program that made the connection of a flow, which may be over by now. Later records of the flow have it in them.
    indirect case clientProcess(FlowID, ClientProcess)
    /// An exchange as it stands now.
    indirect case exchange(ExchangeRecord)
    /// More bytes of a body that is too long to lie in its ``ExchangeRecord``. They follow what
    /// was recorded before, and precede the final record of the exchange.
    case bodyPart(ExchangeID, BodyOwner, [UInt8])
    /// More bytes of a body that is a stream, and when they were there.
    case bodyPiece(ExchangeID, BodyOwner, [UInt8], Timestamp)
    /// A message of a WebSocket, once it has passed or is known not to.
    indirect case webSocketMessage(WebSocketMessage)
    /// More bytes of a payload that is too long to lie in its ``WebSocketMessage``, which has this number
    /// in the exchange. They precede the record of the message.
    case webSocketPart(ExchangeID, number: Int64, [UInt8])
    /// The exchange is over and does not belong into the capture: what was recorded of it goes. The rules that acted on
    /// it are told all the same.
    case leftOut(ExchangeID, [RuleHit])
}

/// The number of a flow in its capture.
package struct FlowID: RawRepresentable, Hashable, Sendable, Codable {
    /// The number, from ``FlowSink/nextID()``.
    package let rawValue: Int64

    /// Wraps a number.
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The number of an exchange in its capture.
package struct ExchangeID: RawRepresentable, Hashable, Sendable, Codable {
    /// The number, from ``FlowSink/nextID()``.
    package let rawValue: Int64

    /// Wraps a number.
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// Whose body it is.
package enum BodyOwner: String, Hashable, Sendable, Codable {
    /// The body of the request.
    case request
    /// The body of the response.
    case response
}
