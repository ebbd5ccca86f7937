import PinholeModel

/// The blocks of a pcapng file, in the byte order of little-endian machines (draft-ietf-opsawg-pcapng §4).
enum PacketBlock {
    /// The header of the file's only section, which names the program.
    static let section = block(
        0x0a0d_0d0a,
        // The magic number tells the byte order; the length of the section is left open.
        bytes(0x1a2b_3c4d as UInt32) + bytes(1 as UInt16) + bytes(0 as UInt16) + bytes(UInt64.max)
            + option(4, "Pinhole") + end
    )

    /// Returns the description of an interface, whose packets begin with an IP header (LINKTYPE_RAW).
    ///
    /// Interfaces are numbered in the order of their blocks, from 0.
    static func interface(_ name: String) -> [UInt8] {
        block(1, bytes(101 as UInt16) + bytes(0 as UInt16) + bytes(0 as UInt32) + option(2, name) + end)
    }

    /// Returns a packet.
    ///
    /// - Parameters:
    ///   - packet: The bytes, from the IP header on.
    ///   - interface: The number of the interface.
    ///   - time: The time of the packet.
    ///   - comment: A remark that Wireshark shows with the packet; `nil` for none.
    /// - Returns: The bytes of the block.
    static func packet(
        _ packet: [UInt8],
        interface: UInt32 = 0,
        at time: Timestamp,
        comment: String? = nil
    ) -> [UInt8] {
        let moment = UInt64(max(0, time.microseconds))
        let length = bytes(UInt32(truncatingIfNeeded: packet.count))
        return block(
            6,
            bytes(interface) + bytes(UInt32(truncatingIfNeeded: moment >> 32))
                + bytes(UInt32(truncatingIfNeeded: moment)) + length + length + padded(packet)
                + (comment.map { option(1, $0) + end } ?? [])
        )
    }

    /// Returns the secrets of TLS connections, which readers need before the packets.
    ///
    /// - Parameter lines: Lines in the form of an NSS key log.
    /// - Returns: The bytes of the block.
    static func secrets(_ lines: [String]) -> [UInt8] {
        let log = Array(lines.map { $0 + "\n" }.joined().utf8)
        let kind: UInt32 = 0x544c_534b
        return block(10, bytes(kind) + bytes(UInt32(truncatingIfNeeded: log.count)) + padded(log))
    }

    private static func block(_ kind: UInt32, _ body: [UInt8]) -> [UInt8] {
        let length = bytes(UInt32(truncatingIfNeeded: body.count + 12))
        return bytes(kind) + length + body + length
    }

    private static let end = bytes(0 as UInt32)

    private static func option(_ code: UInt16, _ text: String) -> [UInt8] {
        let value = Array(text.utf8.prefix(1024))
        return bytes(code) + bytes(UInt16(value.count)) + padded(value)
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
