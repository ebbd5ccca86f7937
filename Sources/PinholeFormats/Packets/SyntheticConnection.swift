import PinholeCrypto
import PinholeModel
import PinholeStore

/// A connection of a client to a server as Wireshark would have seen it without the proxy.
struct SyntheticConnection {
    private var tcp: TCPConversation
    private let tls: TLSConversation?

    /// Opens the connection.
    ///
    /// - Parameters:
    ///   - tcp: The connection to send on.
    ///   - tls: The encryption; `nil` for a plain connection.
    ///   - time: The time at which the handshake begins.
    ///   - output: Receives the packets, after the secrets that decrypt them.
    /// - Throws: ``CaptureFailure`` if the output cannot be written.
    init(
        _ tcp: TCPConversation,
        _ tls: TLSConversation?,
        at time: Timestamp,
        to output: inout FileOutput
    ) throws(CaptureFailure) {
        self.tcp = tcp
        self.tls = tls
        guard let tls else { return }
        try output.append(PacketBlock.secrets(tls.secrets))
        for flight in tls.flights { self.tcp.send(flight.bytes, from: flight.sender, at: time) }
        try write(to: &output)
    }

    /// Sends bytes of the application.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, which are encrypted if the connection is.
    ///   - side: The sender.
    ///   - time: The time.
    ///   - comment: The remark on the first packet.
    ///   - output: Receives the packets.
    /// - Throws: ``CaptureFailure`` if the output cannot be written.
    mutating func send(
        _ bytes: [UInt8],
        from side: Side,
        at time: Timestamp,
        comment: String? = nil,
        to output: inout FileOutput
    ) throws(CaptureFailure) {
        guard !bytes.isEmpty else { return }
        do throws(TLSFailure) {
            let records = try tls?.records(bytes, from: side) ?? bytes
            tcp.send(records, from: side, at: time, comment: comment)
        } catch {
            throw .output("could not encrypt a packet: \(error)")
        }
        try write(to: &output)
    }

    /// Closes the connection from both sides.
    mutating func close(at time: Timestamp, to output: inout FileOutput) throws(CaptureFailure) {
        tcp.close(at: time)
        try write(to: &output)
    }

    private mutating func write(to output: inout FileOutput) throws(CaptureFailure) {
        for packet in tcp.takePackets() {
            try output.append(PacketBlock.packet(packet.bytes, at: packet.time, comment: packet.comment))
        }
    }
}
