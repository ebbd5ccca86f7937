import PinholeModel
package import PinholeStore

/// Writes exchanges as a pcapng file: decrypted traffic in connections between client and server, without the proxy.
///
/// Each connection of a client to a server is a TCP connection in the file. For `https` it has a TLS handshake of its
/// own, whose secrets the file contains, so Wireshark decrypts it without settings. The ports, times and messages are
/// the recorded ones; addresses that were not recorded are from the block for documentation (RFC 5737).
///
/// The packets that the proxy kept follow, on interfaces of their own: client and proxy, proxy and server.
package struct PacketExport {
    /// An exchange of a connection, with what its place in the file depends on.
    struct Item {
        let id: ExchangeID
        let started: Timestamp
        let answered: Timestamp
    }

    /// The exchanges that share a connection.
    private struct Place: Hashable {
        let flow: FlowID
        let scheme: Scheme
        let authority: Authority
    }

    private let reader: CaptureReader

    /// Creates an export from `reader`.
    package init(_ reader: CaptureReader) { self.reader = reader }

    /// Writes the exchanges that a filter selects.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - descriptor: The descriptor to write to; it stays open.
    ///   - progress: Called after each connection with the number of exchanges so far and the highest of their numbers.
    /// - Returns: The number of exchanges.
    /// - Throws: ``CaptureFailure`` if reading or writing fails.
    package func write(
        _ filter: ExchangeFilter,
        to descriptor: Int32,
        progress: (Int, Int64) -> Void = { _, _ in }
    ) throws(CaptureFailure) -> Int {
        let (order, items) = try places(filter)
        let file = try PacketFile(reader, to: descriptor)
        var flows: Set<FlowID> = []
        var count = 0
        for place in order {
            let items = items[place] ?? []
            try file.write(items, of: place.flow)
            if flows.insert(place.flow).inserted { try file.writeKept(place.flow) }
            count += items.count
            progress(count, items.last?.id.rawValue ?? 0)
        }
        try file.finish()
        return count
    }

    /// Returns the connections in the order of their first exchanges, and their exchanges in order.
    private func places(_ filter: ExchangeFilter) throws(CaptureFailure) -> ([Place], [Place: [Item]]) {
        var order: [Place] = []
        var items: [Place: [Item]] = [:]
        try reader.eachExchange(filter) { exchange in
            let place = Place(flow: exchange.flow, scheme: exchange.scheme, authority: exchange.authority)
            let timings = exchange.timings
            let answered = timings.responseStarted ?? timings.ended ?? timings.started
            if items[place] == nil { order.append(place) }
            items[place, default: []].append(
                Item(
                    id: exchange.id,
                    started: timings.started,
                    answered: max(timings.started, answered)
                )
            )
            return true
        }
        return (order, items)
    }
}
