package import PinholeModel

/// Turns the bytes that a proxy kept into packets of TCP, connection by connection.
package struct KeptPackets {
    /// The names of the interfaces of all files, in the order of their numbers.
    static let interfaces = ["decrypted", "client and proxy", "proxy and server"]

    private var open: [Key: TCPConversation] = [:]

    private struct Key: Hashable {
        let flow: FlowID
        let connection: Int64
    }

    /// Returns the blocks of a pcapng file for an event on a connection.
    ///
    /// - Parameters:
    ///   - packet: The event.
    ///   - start: Makes the first sequence number of a connection.
    /// - Returns: The blocks; empty for a connection whose beginning is unknown.
    mutating func blocks(_ packet: KeptPacket, start: () -> UInt32) -> [UInt8] {
        let key = Key(flow: packet.flow, connection: packet.connection)
        let isServer = packet.connection != 0
        if packet.kind == .opened { open[key] = Self.conversation(packet, isServer, start()) }
        guard var connection = open[key] else { return [] }
        let peer: Side = isServer ? .server : .client
        switch packet.kind {
        case .opened: break
        case .received: connection.send(packet.bytes, from: peer, at: packet.time)
        case .sent: connection.send(packet.bytes, from: isServer ? .client : .server, at: packet.time)
        case .closed: connection.close(at: packet.time)
        }
        defer { open[key] = packet.kind == .closed ? nil : connection }
        return connection.takePackets().flatMap { packet in
            PacketBlock.packet(packet.bytes, interface: isServer ? 2 : 1, at: packet.time)
        }
    }

    private static func conversation(
        _ opened: KeptPacket,
        _ isServer: Bool,
        _ start: UInt32
    ) -> TCPConversation {
        let ends = String(decoding: opened.bytes, as: UTF8.self).split(separator: " ").map(String.init)
        let peer = PacketFile.end(ends.first, otherwise: 1, 0)
        let own = PacketFile.end(ends.last, otherwise: 2, 0)
        return TCPConversation(
            isServer ? own : peer,
            isServer ? peer : own,
            start: start,
            at: opened.time
        )
    }

    /// Returns a pcapng file with connections, as a listener on the network would have recorded them.
    package static func pcapng(_ packets: [KeptPacket]) -> [UInt8] {
        var kept = KeptPackets()
        var connections: UInt32 = 0
        return PacketBlock.section + interfaces.flatMap(PacketBlock.interface)
            + packets.flatMap { packet in
                kept.blocks(packet) {
                    connections &+= 1
                    return TCPConversation.start(of: connections)
                }
            }
    }
}
