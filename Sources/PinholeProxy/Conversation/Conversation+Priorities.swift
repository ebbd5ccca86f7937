import PinholeHTTP2

/// The priorities of responses, as clients state them by PRIORITY_UPDATE (RFC 9218 §7.1).
///
/// The field `priority` is sent with its request; this extension handles the frames outside of requests. Each
/// connection to a server of HTTP/2 belongs to one client, so priorities of different clients never compete.
extension Conversation {
    /// The number of streams whose priority is remembered before they are opened: as many as a client may open.
    private static let remembered = Int(HTTP2Limits().concurrentStreams)

    mutating func prioritized(_ lane: Lane, _ value: [UInt8]) {
        guard let open = exchanges[lane] else {
            // The priority of a stream that has ended is of no use.
            guard lane > latest, priorities[lane] != nil || priorities.count < Self.remembered else { return }
            priorities[lane] = value
            return
        }
        open.machine.priority = value
        guard let link = open.link, links[link]?.isMultiplexed == true else { return }
        commands.append(.prioritize(lane, value))
    }

    /// Removes and returns the priority of a lane from before it was opened.
    ///
    /// Lower lanes will not be opened any more.
    mutating func takePriority(of lane: Lane) -> [UInt8]? {
        latest = max(latest, lane)
        guard !priorities.isEmpty else { return nil }
        let value = priorities[lane]
        priorities = priorities.filter { $0.key > lane }
        return value
    }
}
