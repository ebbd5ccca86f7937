import PinholeHTTP2

/// How urgent responses are, where clients say so by PRIORITY_UPDATE (RFC 9218 §7.1).
///
/// The field `priority` of a request goes with it; this is what comes beside requests. Each connection to a
/// server belongs to one client, so its priorities compare only with each other.
extension Multiplexer {
    /// How many streams that are not open yet are remembered: as many as the client may open.
    private static let remembered = Int(HTTP2Limits().concurrentStreams)

    mutating func prioritized(_ lane: Lane, _ value: [UInt8], into commands: inout [MultiplexCommand]) {
        guard let exchange = exchanges[lane] else {
            // Of a stream that is over nobody wants to know.
            guard lane > latest, priorities[lane] != nil || priorities.count < Self.remembered else { return }
            priorities[lane] = value
            return
        }
        exchanges[lane]?.priority = value
        guard let link = exchange.link, links[link]?.isHTTP2 == true else { return }
        commands.append(.prioritize(lane, value))
    }

    /// What was said of a lane before it was opened; lanes below it will not be opened any more.
    mutating func takePriority(of lane: Lane) -> [UInt8]? {
        latest = max(latest, lane)
        guard !priorities.isEmpty else { return nil }
        let value = priorities[lane]
        priorities = priorities.filter { $0.key > lane }
        return value
    }
}
