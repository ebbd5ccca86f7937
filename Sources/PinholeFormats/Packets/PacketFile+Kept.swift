import PinholeModel
import PinholeStore

/// Writes the packets that the proxy kept: both sides of it, encrypted as they passed, with their secrets.
extension PacketFile {
    /// The names of the interfaces, in the order of their numbers.
    static let interfaces = ["decrypted", "client and proxy", "proxy and server"]

    /// Writes the kept connections of a flow.
    func writeKept(_ flow: FlowID) throws(CaptureFailure) {
        let secrets = try reader.secrets(of: flow)
        if !secrets.isEmpty { try append(PacketBlock.secrets(secrets)) }
        var open: [Int64: TCPConversation] = [:]
        try reader.packets(of: flow) { packet throws(CaptureFailure) in
            let isServer = packet.connection != 0
            if packet.kind == .opened {
                open[packet.connection] = conversation(packet, isServer)
            }
            guard var connection = open[packet.connection] else { return }
            let peer: Side = isServer ? .server : .client
            switch packet.kind {
            case .opened: break
            case .received: connection.send(packet.bytes, from: peer, at: packet.time)
            case .sent: connection.send(packet.bytes, from: isServer ? .client : .server, at: packet.time)
            case .closed: connection.close(at: packet.time)
            }
            for packet in connection.takePackets() {
                try append(
                    PacketBlock.packet(packet.bytes, interface: isServer ? 2 : 1, at: packet.time)
                )
            }
            open[packet.connection] = packet.kind == .closed ? nil : connection
        }
    }

    private func conversation(_ opened: KeptPacket, _ isServer: Bool) -> TCPConversation {
        let ends = String(decoding: opened.bytes, as: UTF8.self).split(separator: " ").map(String.init)
        let peer = Self.end(ends.first, otherwise: 1, 0)
        let own = Self.end(ends.last, otherwise: 2, 0)
        let start = nextStart()
        return TCPConversation(
            isServer ? own : peer,
            isServer ? peer : own,
            start: start,
            at: opened.time
        )
    }
}
