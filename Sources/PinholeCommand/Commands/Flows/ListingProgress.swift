import PinholeConsole

/// What `--follow` has told so far.
struct ListingProgress {
    /// How many records behind the oldest open one are looked at again and again.
    static let window = 2000
    /// How many open ones before that are asked for one by one; beyond that, the oldest are given up.
    static let awaitedAtMost = 1000

    /// Everything up to this number is told or awaited.
    private(set) var base: Int64
    /// Those up to ``base`` that go on: an event stream may be open for hours.
    private(set) var awaited: [Int64] = []
    private var told: Set<Int64> = []
    /// Exchanges that were told while they went on; they are told again when they end.
    private var toldOpen: Set<Int64> = []

    /// Begins after `base`.
    init(after base: Int64) { self.base = base }

    /// Keeps what has ended and was not told, and streams that have begun and were not told.
    ///
    /// - Parameter events: What follows ``base``, in order.
    /// - Returns: What is to be told.
    mutating func take(_ events: [TrafficEvent]) -> [TrafficEvent] {
        let new = events.filter { event in
            if event.hasEnded {
                toldOpen.remove(event.number)
                return told.insert(event.number).inserted
            }
            guard case .exchange = event else { return false }
            return toldOpen.insert(event.number).inserted
        }
        let open = events.filter { !$0.hasEnded }.map(\.number)
        let last = events.last?.number ?? base
        if events.count >= Self.window {
            awaited = (awaited + open).suffix(Self.awaitedAtMost)
            base = max(base, last)
        } else {
            base = max(base, min(last, (open.first ?? .max) - 1))
        }
        told = told.filter { $0 > base }
        return new
    }

    /// Keeps what has ended of those that are awaited.
    ///
    /// - Parameter events: What is known of them now.
    /// - Returns: What is to be told.
    mutating func takeAwaited(_ events: [TrafficEvent]) -> [TrafficEvent] {
        let ended = events.filter(\.hasEnded)
        let open = Set(events.filter { !$0.hasEnded }.map(\.number))
        // What retention has removed does not come back.
        awaited = awaited.filter(open.contains)
        for event in ended { toldOpen.remove(event.number) }
        return ended
    }
}
