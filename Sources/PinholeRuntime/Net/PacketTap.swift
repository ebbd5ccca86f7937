import PinholeModel

/// Hands the bytes of one connection to the capture, for Wireshark.
///
/// The tap stays with its socket, which may serve several flows one after the other.
final class PacketTap: Sendable {
    private let sink: any FlowSink
    private let flow: FlowID
    private let connection: Int64
    private let clock: LoopClock

    /// Begins to keep the bytes of a connection.
    ///
    /// - Parameters:
    ///   - sink: Receives the packets.
    ///   - flow: The flow that the connection is opened for.
    ///   - connection: The number of the connection in its flow; 0 for that of the client.
    ///   - clock: The source of the time.
    ///   - peer: The address of the peer.
    ///   - local: The address of the proxy's end.
    init(
        _ sink: any FlowSink,
        flow: FlowID,
        connection: Int64,
        clock: LoopClock,
        peer: SocketAddress?,
        local: SocketAddress?
    ) {
        self.sink = sink
        self.flow = flow
        self.connection = connection
        self.clock = clock
        let ends = [peer, local].map { $0?.description ?? "?" }.joined(separator: " ")
        keep(.opened, Array(ends.utf8))
    }

    deinit { keep(.closed, []) }

    /// Keeps bytes that passed.
    func keep(_ kind: KeptPacket.Kind, _ bytes: [UInt8]) {
        sink.keep(
            KeptPacket(flow: flow, connection: connection, kind: kind, time: clock.now(), bytes: bytes)
        )
    }
}
