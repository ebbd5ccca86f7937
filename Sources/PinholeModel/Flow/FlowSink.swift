/// The receiver of records.
///
/// The proxy core knows only this protocol and not the store.
///
/// Any event loop may call it, and no call blocks. Order within one flow is kept.
package protocol FlowSink: AnyObject, Sendable {
    /// Returns a number that no other flow or exchange of this capture has.
    func nextID() -> Int64

    /// Records `events`, in order.
    func record(_ events: [FlowEvent])

    /// Whether so much waits to be written that the proxy must stop reading from peers.
    var isCongested: Bool { get }

    /// Runs `action` once, as soon as the sink is not congested, which may be at once.
    func whenRelieved(_ action: @escaping @Sendable () -> Void)

    /// Whether the proxy must find out which programs make connections.
    var wantsClientProcesses: Bool { get }

    /// Notes that the client of a flow sent its first request over TLS, and so accepted the certificate.
    func noteRequest(of flow: FlowRecord, at now: Timestamp)

    /// Whether the bytes of connections that are opened now are kept.
    var wantsPackets: Bool { get }

    /// Keeps bytes of a connection.
    func keep(_ packet: KeptPacket)
}

extension FlowSink {
    /// Whether programs are looked up, which is `false` by default.
    package var wantsClientProcesses: Bool { false }

    /// Does nothing, for sinks that do not need the note.
    package func noteRequest(of flow: FlowRecord, at now: Timestamp) {}

    /// Whether the bytes of connections are kept, which is `false` by default.
    package var wantsPackets: Bool { false }

    /// Does nothing, for sinks that keep no bytes of connections.
    package func keep(_ packet: KeptPacket) {}
}

/// An event to record.
///
/// Flows and exchanges are recorded as whole values, each time they change; the last value counts.
package enum FlowEvent: Sendable, Equatable {
    /// The present state of a flow.
    // Flows and exchanges are boxed, because they are large and are passed from list to list.
    indirect case flow(FlowRecord)
    /// The program that made the connection of a flow.
    ///
    /// The flow may have ended by now. Later records of the flow contain the program.
    indirect case clientProcess(FlowID, ClientProcess)
    /// The present state of an exchange.
    indirect case exchange(ExchangeRecord)
    /// More bytes of a body that is too long for its ``ExchangeRecord``.
    ///
    /// They follow the bytes that were recorded before, and precede the final record of the exchange.
    case bodyPart(ExchangeID, BodyOwner, [UInt8])
    /// More bytes of a body that is a stream, and the time at which they arrived.
    case bodyPiece(ExchangeID, BodyOwner, [UInt8], Timestamp)
    /// A message of a WebSocket, after it passed or was dropped.
    indirect case webSocketMessage(WebSocketMessage)
    /// More bytes of a payload that is too long for its ``WebSocketMessage``, which has this number in the exchange.
    ///
    /// They precede the record of the message.
    case webSocketPart(ExchangeID, number: Int64, [UInt8])
    /// The end of an exchange that must not be in the capture; the store deletes what it has recorded of it.
    ///
    /// The rules that acted on the exchange are counted all the same.
    case leftOut(ExchangeID, [RuleHit])
    /// Bytes of a connection.
    indirect case packet(KeptPacket)
    /// A secret of a TLS connection, as a line of an NSS key log.
    case secret(String)
}

/// The number of a flow in its capture.
package struct FlowID: RawRepresentable, Hashable, Sendable, Codable {
    /// The number, from ``FlowSink/nextID()``.
    package let rawValue: Int64

    /// Creates an identifier from its number.
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The number of an exchange in its capture.
package struct ExchangeID: RawRepresentable, Hashable, Sendable, Codable {
    /// The number, from ``FlowSink/nextID()``.
    package let rawValue: Int64

    /// Creates an identifier from its number.
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The message that a body belongs to.
package enum BodyOwner: String, Hashable, Sendable, Codable, CaseIterable {
    /// The body of the request.
    case request
    /// The body of the response.
    case response
}
