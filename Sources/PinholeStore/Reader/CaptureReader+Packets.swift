package import PinholeModel

/// Reads the kept bytes of connections.
extension CaptureReader {
    /// Reads the packets of the connections that were opened for a flow, in order.
    ///
    /// - Parameters:
    ///   - flow: The number of the flow.
    ///   - use: Called with each packet.
    /// - Throws: ``CaptureFailure`` if the file cannot be read, or the error of `use`.
    package func packets(
        of flow: FlowID,
        _ use: (KeptPacket) throws(CaptureFailure) -> Void
    ) throws(CaptureFailure) {
        var last: Int64 = 0
        while true {
            let page = try packets(of: flow, after: last)
            guard let end = page.last else { return }
            last = end.id
            for entry in page { try use(entry.packet) }
        }
    }

    private func packets(
        of flow: FlowID,
        after last: Int64
    ) throws(CaptureFailure) -> [(id: Int64, packet: KeptPacket)] {
        try read { db in
            let sql =
                "SELECT id, connection, kind, time, bytes FROM packet WHERE flow = ? AND id > ? ORDER BY id"
            var page: [(id: Int64, packet: KeptPacket)] = []
            var count = 0
            try db.walk("packet", sql, [.number(flow.rawValue), .number(last)], isKept: true) { row in
                guard let kind = KeptPacket.Kind(rawValue: try row.number(2)) else {
                    throw row.fault(2, "0 to 3")
                }
                let packet = KeptPacket(
                    flow: flow,
                    connection: try row.number(1),
                    kind: kind,
                    time: Timestamp(microseconds: try row.number(3)),
                    bytes: try row.bytes(4)
                )
                page.append((try row.id(0), packet))
                count += packet.bytes.count
                return count < Self.bytesAtOnce
            }
            return page
        }
    }

    /// Returns the secrets of the TLS connections that begin in the packets of a flow, as lines of an NSS key log.
    ///
    /// - Parameter flow: The number of the flow.
    /// - Returns: The lines; none if the secrets were not kept.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func secrets(of flow: FlowID) throws(CaptureFailure) -> [String] {
        var openings: [Int64: [UInt8]] = [:]
        try packets(of: flow) { packet throws(CaptureFailure) in
            let ofClient: KeptPacket.Kind = packet.connection == 0 ? .received : .sent
            let count = openings[packet.connection]?.count ?? 0
            guard packet.kind == ofClient, count < Self.openingBytes else { return }
            openings[packet.connection, default: []] += packet.bytes
        }
        var lines: [String] = []
        for (_, opening) in openings.sorted(by: { $0.key < $1.key }) {
            for random in Self.randoms(in: opening) {
                lines += try read { db in
                    let sql = "SELECT id, line FROM secret WHERE random = ? ORDER BY id"
                    return try db.rows("secret", sql, [.text(random)]) { row in try row.text(1) }
                }
            }
        }
        return lines
    }

    /// The bytes of a client in which a ClientHello is looked for; a CONNECT or a greeting may come before it.
    private static let openingBytes = 64 << 10

    /// Returns the randoms of the ClientHellos in `bytes`, in hexadecimal digits of lower case.
    ///
    /// A ClientHello is a record (RFC 8446 §5.1) with a handshake message (§4), whose third field is the random.
    private static func randoms(in bytes: [UInt8]) -> [String] {
        bytes.indices.dropLast(42).filter { index in
            bytes[index] == 22 && bytes[index + 1] == 3 && bytes[index + 5] == 1 && bytes[index + 9] == 3
        }.map { index in Hexadecimal.encode(Array(bytes[index + 11..<index + 43])) }
    }
}
