/// What `--follow` has told so far.
struct ListingProgress {
    /// Records that are looked at again until they have ended; beyond that, the oldest are given up.
    static let window = 2000

    /// Everything up to this number is told or given up.
    private(set) var base: Int64
    private var told: Set<Int64> = []

    /// Begins after `base`.
    init(after base: Int64) { self.base = base }

    /// Keeps what has ended and was not told.
    mutating func take(_ events: [TrafficEvent]) -> [TrafficEvent] {
        let new = events.filter { $0.hasEnded && told.insert($0.number).inserted }
        let open = events.first { !$0.hasEnded }?.number
        let last = events.last?.number ?? base
        // An exchange or a flow may be open for hours; a page full of what follows does not wait for it.
        base = max(base, events.count >= Self.window ? last : min(last, (open ?? .max) - 1))
        told = told.filter { $0 > base }
        return new
    }
}
