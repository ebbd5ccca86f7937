/// Bytes that passed on a TCP connection of the proxy, as they were sent: encrypted if the connection is.
package struct KeptPacket: Sendable, Equatable {
    /// The kind of event on the connection.
    package enum Kind: Int64, Sendable, CaseIterable {
        /// The connection was opened; the bytes are the ends of the peer and of the proxy, with a space between them.
        case opened = 0
        /// The peer sent the bytes.
        case received = 1
        /// The proxy sent the bytes.
        case sent = 2
        /// The connection was closed.
        case closed = 3
    }

    /// The flow that the connection was opened for.
    package let flow: FlowID
    /// The number of the connection in its flow: 0 for that of the client, any other number for that of a server.
    package let connection: Int64
    /// The event, whose bytes these are.
    package let kind: Kind
    /// The moment of the event.
    package let time: Timestamp
    /// The bytes that passed, or the two ends of a connection that was opened.
    package let bytes: [UInt8]

    /// Creates a packet.
    package init(flow: FlowID, connection: Int64, kind: Kind, time: Timestamp, bytes: [UInt8]) {
        self.flow = flow
        self.connection = connection
        self.kind = kind
        self.time = time
        self.bytes = bytes
    }

    /// Returns the same packet of another flow.
    package func of(_ flow: FlowID) -> KeptPacket {
        KeptPacket(flow: flow, connection: connection, kind: kind, time: time, bytes: bytes)
    }
}
