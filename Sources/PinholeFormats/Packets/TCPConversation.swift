import PinholeModel

/// The packets of a TCP connection (RFC 9293) over IPv4 or IPv6, without losses.
struct TCPConversation {
    /// The address and the port of one side.
    struct End {
        /// The address in network order: 4 bytes (IPv4) or 16 bytes (IPv6).
        let address: [UInt8]
        let port: UInt16
    }

    /// A packet, from its IP header on.
    struct Packet {
        let bytes: [UInt8]
        let time: Timestamp
        let comment: String?
    }

    private enum Flags {
        static let fin: UInt8 = 0x01
        static let syn: UInt8 = 0x02
        static let push: UInt8 = 0x08
        static let ack: UInt8 = 0x10
    }

    /// The largest payload of a packet, which is what a TLS record holds and far below the limit of IP.
    private static let segmentBytes = 16 << 10

    private let client: End
    private let server: End
    private var clientNext: UInt32
    private var serverNext: UInt32
    private var clock: Timestamp
    private var packets: [Packet] = []

    /// Opens the connection.
    ///
    /// - Parameters:
    ///   - client: The end of the client.
    ///   - server: The end of the server; if only one end has an IPv6 address, the other one is mapped.
    ///   - start: The first sequence number of both sides, which tells connections between equal ends apart.
    ///   - time: The time at which the client connects.
    init(_ client: End, _ server: End, start: UInt32, at time: Timestamp) {
        let isMapped = client.isVersion6 || server.isVersion6
        self.client = isMapped ? client.mapped : client
        self.server = isMapped ? server.mapped : server
        clientNext = start
        serverNext = start
        clock = time
        add([], from: .client, Flags.syn)
        add([], from: .server, Flags.syn | Flags.ack)
        add([], from: .client, Flags.ack)
    }

    /// Sends bytes, which the other side acknowledges.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - side: The sender.
    ///   - time: The time; an earlier one than that of the last packet counts as the same.
    ///   - comment: The remark on the first packet.
    mutating func send(_ bytes: [UInt8], from side: Side, at time: Timestamp, comment: String? = nil) {
        guard !bytes.isEmpty else { return }
        clock = max(clock, time)
        for start in stride(from: 0, to: bytes.count, by: Self.segmentBytes) {
            let end = min(start + Self.segmentBytes, bytes.count)
            add(
                Array(bytes[start..<end]),
                from: side,
                end == bytes.count ? Flags.push | Flags.ack : Flags.ack,
                comment: start == 0 ? comment : nil
            )
        }
        add([], from: side == .client ? .server : .client, Flags.ack)
    }

    /// Closes the connection from both sides.
    mutating func close(at time: Timestamp) {
        clock = max(clock, time)
        add([], from: .client, Flags.fin | Flags.ack)
        add([], from: .server, Flags.fin | Flags.ack)
        add([], from: .client, Flags.ack)
    }

    /// Returns the packets since the last call.
    mutating func takePackets() -> [Packet] {
        defer { packets = [] }
        return packets
    }

    private mutating func add(_ payload: [UInt8], from side: Side, _ flags: UInt8, comment: String? = nil) {
        let (sender, receiver) = side == .client ? (client, server) : (server, client)
        let (number, other) = side == .client ? (clientNext, serverNext) : (serverNext, clientNext)
        let acknowledged = flags & Flags.ack == 0 ? 0 : other
        var segment = Self.bytes(sender.port) + Self.bytes(receiver.port) + Self.bytes(number)
        segment += Self.bytes(acknowledged) + [0x50, flags, 0xff, 0xff, 0, 0, 0, 0] + payload
        let length = UInt32(segment.count)
        let checksum = Self.checksum(
            sender.address + receiver.address + Self.bytes(length) + [0, 0, 0, 6] + segment
        )
        segment.replaceSubrange(16..<18, with: Self.bytes(checksum))
        let header =
            sender.isVersion6
            ? Self.version6(sender, receiver, length) : Self.version4(sender, receiver, length)
        packets.append(Packet(bytes: header + segment, time: clock, comment: comment))
        // SYN and FIN take a sequence number each.
        let used = UInt32(payload.count) + (flags & (Flags.syn | Flags.fin) == 0 ? 0 : 1)
        if side == .client { clientNext &+= used } else { serverNext &+= used }
    }

    /// The header of IPv4 (RFC 791 §3.1).
    private static func version4(_ sender: End, _ receiver: End, _ length: UInt32) -> [UInt8] {
        var header: [UInt8] = [0x45, 0] + bytes(UInt16(truncatingIfNeeded: length + 20))
        header += [0, 0, 0x40, 0, 64, 6, 0, 0] + sender.address + receiver.address
        header.replaceSubrange(10..<12, with: bytes(checksum(header)))
        return header
    }

    /// The header of IPv6 (RFC 8200 §3).
    private static func version6(_ sender: End, _ receiver: End, _ length: UInt32) -> [UInt8] {
        [0x60, 0, 0, 0] + bytes(UInt16(truncatingIfNeeded: length)) + [6, 64] + sender.address
            + receiver.address
    }

    /// The checksum of the Internet (RFC 1071).
    private static func checksum(_ bytes: [UInt8]) -> UInt16 {
        var sum: UInt32 = 0
        for (index, byte) in bytes.enumerated() {
            sum += index.isMultiple(of: 2) ? UInt32(byte) << 8 : UInt32(byte)
        }
        while sum > 0xffff { sum = (sum & 0xffff) + (sum >> 16) }
        return ~UInt16(truncatingIfNeeded: sum)
    }

    /// The number in network order.
    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

extension TCPConversation.End {
    fileprivate var isVersion6: Bool { address.count == 16 }

    /// The same end with an IPv6 address, mapped if it has an IPv4 address (RFC 4291 §2.5.5.2).
    fileprivate var mapped: TCPConversation.End {
        guard !isVersion6 else { return self }
        let prefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        return TCPConversation.End(address: prefix + address, port: port)
    }
}

extension TCPConversation {
    /// Returns the first sequence number of a file's connection, which no connection between equal ends may share.
    static func start(of connection: UInt32) -> UInt32 { connection &* 0x9e37_79b1 }
}
