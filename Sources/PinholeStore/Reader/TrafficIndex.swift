import PinholeLock
import PinholeModel

/// A cache of the hosts and the numbers of a whole capture, which lists need again and again.
///
/// Numbers are divided into blocks. A block is read again only if one of its rows has changed, which the writers note
/// (`ChangeLog`).
package final class TrafficIndex: Sendable {
    /// The known facts about the exchanges of a block.
    struct Block {
        var tallies: [HostTally]?
        /// The encoded numbers of exchanges and listed flows after the first one.
        var numbers: [UInt8] = []
        var first: Int64 = 0
        var last: Int64 = 0
        var flows: [Int64]?
    }

    fileprivate struct State {
        var blocks: [Int64: Block] = [:]
        /// The revision of the capture at which all blocks were right.
        var revision: Int64 = 0
        /// The number of times that blocks were stored.
        var stores = 0
    }

    /// The number of bits of a number within its block: 16,384 exchanges are counted in a few milliseconds.
    fileprivate static let bits: Int64 = 14
    private let state = Lock(State())

    /// Creates an empty cache.
    package init() {}

    /// Returns the hosts and ports of all traffic, the last used first.
    ///
    /// - Parameters:
    ///   - reader: A reader of the capture, which must always be the same capture.
    ///   - isCancelled: Called now and then; `true` ends the counting.
    /// - Returns: The tallies; `nil` if the counting was cancelled.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func hosts(
        _ reader: CaptureReader,
        isCancelled: () -> Bool = { false }
    ) throws(CaptureFailure) -> [HostTally]? {
        var tallies: [HostTally.Place: HostTally] = [:]
        func add(_ more: [HostTally]) {
            for tally in more {
                var sum = tallies[tally.place] ?? HostTally(place: tally.place)
                sum.exchanges += tally.exchanges
                sum.failed += tally.failed
                sum.last = max(sum.last, tally.last)
                tallies[tally.place] = sum
            }
        }
        let isWhole = try walk(reader, isCancelled) { block, range throws(CaptureFailure) in
            let counted = if let known = block.tallies { known } else { try reader.tallies(in: range) }
            block.tallies = counted
            add(counted)
        }
        guard isWhole else { return nil }
        add(try reader.flowTallies())
        return tallies.values.sorted(by: HostTally.isBefore)
    }

    /// Returns the numbers of all exchanges and listed flows, as ``NumberDifferences``.
    ///
    /// - Parameters:
    ///   - reader: A reader of the capture, which must always be the same capture.
    ///   - isCancelled: Called now and then; `true` ends the reading.
    /// - Returns: The bytes; `nil` if the reading was cancelled.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func index(
        _ reader: CaptureReader,
        isCancelled: () -> Bool = { false }
    ) throws(CaptureFailure) -> [UInt8]? {
        var flows = try reader.flowIDs(TrafficFilter().flows, isCancelled)[...]
        var all = NumberDifferences()
        let isWhole = try walk(reader, isCancelled) { block, range throws(CaptureFailure) in
            while let flow = flows.first, flow < range.lowerBound { all.append(flows.removeFirst()) }
            let inside = Array(flows.prefix { range.contains($0) })
            flows.removeFirst(inside.count)
            if block.flows != inside {
                var ids = try reader.exchangeIDs(in: range) + inside
                if !inside.isEmpty { ids.sort() }
                var numbers = NumberDifferences()
                for id in ids { numbers.append(id) }
                block.first = ids.first ?? 0
                block.last = numbers.last
                var first = NumberDifferences()
                first.append(block.first)
                block.numbers = Array(numbers.bytes.dropFirst(first.bytes.count))
                block.flows = inside
            }
            if block.first > 0 { all.append(block.first, then: block.numbers, upTo: block.last) }
        }
        guard isWhole else { return nil }
        for flow in flows { all.append(flow) }
        return all.bytes
    }

    /// Calls `use` with each block that has an exchange, to add the missing facts to it.
    private func walk(
        _ reader: CaptureReader,
        _ isCancelled: () -> Bool,
        _ use: (inout Block, ClosedRange<Int64>) throws(CaptureFailure) -> Void
    ) throws(CaptureFailure) -> Bool {
        var known = state.withLock(\.self)
        // The revision is read first, so a later change can only make a block newer than it needs to be.
        try known.update(to: try reader.revision(), reader)
        guard let ends = try reader.exchangeEnds() else { return true }
        // Blocks that retention removed are dropped.
        known.blocks = known.blocks.filter { $0.key >= ends.lowerBound >> Self.bits }
        var next: Int64? = ends.lowerBound
        while let id = next {
            if isCancelled() { return false }
            let key = id >> Self.bits
            let range = key << Self.bits...(key << Self.bits | (1 << Self.bits - 1))
            try use(&known.blocks[key, default: Block()], range)
            next = range.upperBound < ends.upperBound ? try reader.nextExchange(after: range.upperBound) : nil
        }
        try store(known, reader)
        return true
    }

    /// Stores blocks, together with those that another thread has stored meanwhile.
    private func store(_ known: State, _ reader: CaptureReader) throws(CaptureFailure) {
        var known = known
        while true {
            let others = state.withLock(\.self)
            if others.stores != known.stores {
                let newest = try reader.revision()
                var blocks = others
                try blocks.update(to: newest, reader)
                try known.update(to: newest, reader)
                known.blocks.merge(blocks.blocks) { $0.merged(with: $1) }
                known.stores = others.stores
            }
            let isStored = state.withLock { [known] state in
                guard state.stores == known.stores else { return false }
                state = known
                state.stores += 1
                return true
            }
            if isStored { return }
        }
    }
}

extension TrafficIndex.Block {
    /// Returns the block with the facts that only the other one has.
    fileprivate func merged(with other: Self) -> Self {
        var result = self
        result.tallies = tallies ?? other.tallies
        if flows == nil {
            (result.numbers, result.first, result.last) = (other.numbers, other.first, other.last)
            result.flows = other.flows
        }
        return result
    }
}

extension TrafficIndex.State {
    /// Drops the blocks that have changed.
    ///
    /// - Parameters:
    ///   - newest: The present revision of the capture.
    ///   - reader: The capture.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    fileprivate mutating func update(to newest: Int64, _ reader: CaptureReader) throws(CaptureFailure) {
        defer { revision = newest }
        guard !blocks.isEmpty, newest != revision else { return }
        guard newest > revision, let changes = try reader.changes(after: revision) else {
            blocks = [:]
            return
        }
        for change in changes {
            let key = change.number >> TrafficIndex.bits
            switch change.kind {
            case .written, .removed: blocks[key] = nil
            case .removedUpTo: blocks = blocks.filter { $0.key > key }
            case .noted, .identified: break
            }
        }
    }
}

extension CaptureReader {
    /// Returns the highest number of all exchanges and flows.
    ///
    /// - Returns: The number; 0 in an empty capture.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func lastID() throws(CaptureFailure) -> Int64 {
        try read { db in
            let sql =
                "SELECT max(coalesce((SELECT max(id) FROM exchange), 0), coalesce((SELECT max(id) FROM flow), 0))"
            return try db.row("exchange", sql, isKept: true) { row in try row.id(0) } ?? 0
        }
    }

    /// Returns the lowest and the highest number of an exchange; `nil` if there is none.
    fileprivate func exchangeEnds() throws(CaptureFailure) -> ClosedRange<Int64>? {
        try read { db in
            let sql = "SELECT (SELECT min(id) FROM exchange), (SELECT max(id) FROM exchange)"
            let ends = try db.row("exchange", sql, isKept: true) { row in
                try [0, 1].compactMap { try row.optionalNumber($0, in: FieldRange.ids) }
            }
            guard let first = ends?.first, let last = ends?.last, first > 0 else { return nil }
            return first...max(first, last)
        }
    }

    fileprivate func nextExchange(after id: Int64) throws(CaptureFailure) -> Int64? {
        try read { db in
            let sql = "SELECT min(id) FROM exchange WHERE id > ?"
            return try db.row("exchange", sql, [.number(id)], isKept: true) { row in
                try row.optionalNumber(0, in: FieldRange.ids)
            } ?? nil
        }
    }

    /// Returns the numbers of the exchanges in a range.
    func exchangeIDs(in range: ClosedRange<Int64>) throws(CaptureFailure) -> [Int64] {
        try read { db in
            let sql = "SELECT id FROM exchange WHERE id BETWEEN ? AND ? ORDER BY id"
            let ends = [range.lowerBound, range.upperBound].map(SQLValue.number)
            return try db.rows("exchange", sql, ends, isKept: true) { row in
                try row.id(0)
            }
        }
    }

    /// Returns the hosts of the exchanges with these numbers.
    fileprivate func tallies(in range: ClosedRange<Int64>) throws(CaptureFailure) -> [HostTally] {
        try read { db in
            let sql = """
                SELECT authority, count(*), count(CASE WHEN \(StandingSQL.isFailed) THEN 1 END),
                    max(started) AS started, scheme
                FROM exchange WHERE id BETWEEN ? AND ? GROUP BY authority, scheme
                """
            let ends = [range.lowerBound, range.upperBound].map(SQLValue.number)
            return try db.rows("exchange", sql, ends, isKept: true) { row in
                let scheme = try row.number(4, in: 0...1)
                var tally = HostTally(place: HostTally.Place(try row.text(0), scheme: scheme))
                tally.exchanges = Int(try row.length(1))
                tally.failed = Int(try row.length(2))
                tally.last = Timestamp(microseconds: try row.number(3))
                return tally
            }
        }
    }

    /// Returns the hosts of the flows that lists show.
    fileprivate func flowTallies() throws(CaptureFailure) -> [HostTally] {
        guard let flows = TrafficFilter().flows else { return [] }
        let condition = flows.selection
        return try read { db in
            let sql = """
                SELECT authority, count(CASE WHEN failed AND NOT \(FlowFilter.isAnsweredFailure) THEN 1 END),
                    max(opened) AS opened
                FROM flow
                WHERE \(condition.sql) GROUP BY authority HAVING authority IS NOT NULL
                """
            return try db.rows("flow", sql, condition.values) { row in
                var tally = HostTally(place: HostTally.Place(try row.text(0), scheme: 2))
                tally.failed = Int(try row.length(1))
                tally.last = Timestamp(microseconds: try row.number(2))
                return tally
            }
        }
    }
}
