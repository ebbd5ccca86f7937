import GRDB
import PinholeLock
package import PinholeModel

/// What lists ask of a whole capture again and again, hosts and numbers, counted once and then where it changed.
///
/// Numbers are looked at in blocks. A block that is settled is not looked at again: nothing in it goes on, and
/// numbers that are greater have been there for some time. So an answer costs what is new, what goes on, and the
/// block that retention is taking away.
package final class TrafficLedger: Sendable {
    /// What is known of the exchanges of a block.
    struct Block {
        var tallies: [HostTally] = []
        var hasTallies = false
        /// The numbers with those of the flows that lists show, behind the first.
        var numbers: [UInt8] = []
        var first: Int64 = 0
        var last: Int64 = 0
        var flows: [Int64]?
    }

    fileprivate struct State {
        var blocks: [Int64: Block] = [:]
        /// The highest numbers at moments, the oldest first.
        var marks: [(time: Timestamp, last: Int64)] = []
        var generation = 0
    }

    /// Bits of a number within its block: 16,384 exchanges are counted in some milliseconds.
    private static let bits: Int64 = 14
    /// After this time no number is given any more that is lower than one that was there.
    private static let settling = Duration.seconds(5)

    private let state = Lock(State())

    /// Begins with nothing known.
    package init() {}

    /// Something was removed from the middle.
    package func forget() {
        state.withLock { state in
            state.blocks = [:]
            state.generation += 1
        }
    }

    /// The hosts and ports of everything, the last used first.
    ///
    /// - Parameters:
    ///   - reader: Who reads the capture; always the same one.
    ///   - now: The time.
    ///   - isCancelled: Is asked now and then; true ends it.
    /// - Returns: The tallies; `nil` where it was ended.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func hosts(
        _ reader: CaptureReader,
        at now: Timestamp,
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
        let isWhole = try walk(reader, now, isCancelled) { block, range throws(CaptureFailure) in
            if block.hasTallies {
                add(block.tallies)
                return
            }
            let (counted, isOver) = try reader.tallies(in: range)
            // What goes on may fail yet.
            if isOver { (block.tallies, block.hasTallies) = (counted, true) }
            add(counted)
        }
        guard isWhole else { return nil }
        add(try reader.flowTallies())
        return tallies.values.sorted(by: HostTally.isBefore)
    }

    /// The numbers of everything, as ``NumberDifferences``.
    ///
    /// - Parameters:
    ///   - reader: Who reads the capture; always the same one.
    ///   - now: The time.
    ///   - isCancelled: Is asked now and then; true ends it.
    /// - Returns: The bytes; `nil` where it was ended.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func index(
        _ reader: CaptureReader,
        at now: Timestamp,
        isCancelled: () -> Bool = { false }
    ) throws(CaptureFailure) -> [UInt8]? {
        var flows = try reader.flowIDs(TrafficFilter().flows, isCancelled)[...]
        var all = NumberDifferences()
        let isWhole = try walk(reader, now, isCancelled) { block, range throws(CaptureFailure) in
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

    /// Gives each block that has an exchange to `use`, which learns what is not known of it.
    private func walk(
        _ reader: CaptureReader,
        _ now: Timestamp,
        _ isCancelled: () -> Bool,
        _ use: (inout Block, ClosedRange<Int64>) throws(CaptureFailure) -> Void
    ) throws(CaptureFailure) -> Bool {
        guard let ends = try reader.exchangeEnds() else { return true }
        let isNew = state.withLock { $0.marks.isEmpty }
        let quiet = isNew ? try reader.lastExchange(before: now - Self.settling) : 0
        var (blocks, settled, generation) = state.withLock { state in
            if state.marks.isEmpty { state.marks.append((now, quiet)) }
            state.mark(ends.upperBound, at: now, settling: Self.settling)
            return (state.blocks, state.marks.first?.last ?? 0, state.generation)
        }
        // What retention took is not asked for any more.
        blocks = blocks.filter { $0.key >= ends.lowerBound >> Self.bits }
        var next: Int64? = ends.lowerBound
        while let id = next {
            if isCancelled() { return false }
            let key = id >> Self.bits
            let range = key << Self.bits...(key << Self.bits | (1 << Self.bits - 1))
            let isSettled = range.lowerBound >= ends.lowerBound && range.upperBound <= settled
            var block = isSettled ? blocks[key] ?? Block() : Block()
            try use(&block, range)
            blocks[key] = isSettled ? block : nil
            next = range.upperBound < ends.upperBound ? try reader.nextExchange(after: range.upperBound) : nil
        }
        state.withLock { state in
            guard state.generation == generation else { return }
            // Somebody else may have learnt the other half of a block meanwhile.
            state.blocks = blocks.merging(state.blocks.filter { blocks[$0.key] != nil }) { new, old in
                new.merged(with: old)
            }
        }
        return true
    }
}

extension TrafficLedger.Block {
    /// With what only the other one knows.
    fileprivate func merged(with other: Self) -> Self {
        var result = self
        if !hasTallies { (result.tallies, result.hasTallies) = (other.tallies, other.hasTallies) }
        if flows == nil {
            (result.numbers, result.first, result.last) = (other.numbers, other.first, other.last)
            result.flows = other.flows
        }
        return result
    }
}

extension TrafficLedger.State {
    /// Remembers the highest number of now; the first mark is then as old as settling takes, or the first of all.
    fileprivate mutating func mark(_ last: Int64, at now: Timestamp, settling: Duration) {
        marks.append((now, last))
        while marks.count > 1, now - marks[1].time >= settling { marks.removeFirst() }
    }
}

extension CaptureReader {
    /// The highest number of all.
    ///
    /// - Returns: The number; 0 where there is nothing.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func lastID() throws(CaptureFailure) -> Int64 {
        try read { db in
            let sql =
                "SELECT max(coalesce((SELECT max(id) FROM exchange), 0), coalesce((SELECT max(id) FROM flow), 0))"
            return try db.row("exchange", sql, isKept: true) { row in try row.id(0) } ?? 0
        }
    }

    /// The lowest and the highest number of an exchange; `nil` where there is none.
    fileprivate func exchangeEnds() throws(CaptureFailure) -> ClosedRange<Int64>? {
        try read { db in
            let sql = "SELECT (SELECT min(id) FROM exchange), (SELECT max(id) FROM exchange)"
            let ends = try db.row("exchange", sql, isKept: true) { row in
                try [0, 1].compactMap { try row.optionalNumber($0, in: 0...StoredRow.greatestID) }
            }
            guard let first = ends?.first, let last = ends?.last, first > 0 else { return nil }
            return first...max(first, last)
        }
    }

    /// A number below which every exchange has begun, and its number was given, well before `moment`.
    fileprivate func lastExchange(before moment: Timestamp) throws(CaptureFailure) -> Int64 {
        try read { db in try Self.firstExchange(since: moment, db).map { $0 - 1 } ?? 0 }
    }

    fileprivate func nextExchange(after id: Int64) throws(CaptureFailure) -> Int64? {
        try read { db in
            let sql = "SELECT min(id) FROM exchange WHERE id > ?"
            return try db.row("exchange", sql, [id], isKept: true) { row in
                try row.optionalNumber(0, in: 0...StoredRow.greatestID)
            } ?? nil
        }
    }

    /// The numbers of the exchanges in a range.
    func exchangeIDs(in range: ClosedRange<Int64>) throws(CaptureFailure) -> [Int64] {
        try read { db in
            let sql = "SELECT id FROM exchange WHERE id BETWEEN ? AND ? ORDER BY id"
            return try db.rows("exchange", sql, [range.lowerBound, range.upperBound], isKept: true) { row in
                try row.id(0)
            }
        }
    }

    /// The hosts of the exchanges with these numbers, and whether all of them are over.
    fileprivate func tallies(
        in range: ClosedRange<Int64>
    ) throws(CaptureFailure) -> (tallies: [HostTally], isOver: Bool) {
        try read { db in
            let sql = """
                SELECT authority, count(*), count(CASE WHEN \(ExchangeColumns.failed) THEN 1 END),
                    max(started) AS started, count(*) - count(outcome), scheme
                FROM exchange WHERE id BETWEEN ? AND ? GROUP BY authority, scheme
                """
            var isOver = true
            let ends: StatementArguments = [range.lowerBound, range.upperBound]
            let tallies = try db.rows("exchange", sql, ends, isKept: true) { row in
                let scheme = try row.number(5, in: 0...1)
                var tally = HostTally(place: HostTally.Place(try row.text(0), scheme: scheme))
                tally.exchanges = Int(try row.length(1))
                tally.failed = Int(try row.length(2))
                tally.last = Timestamp(microseconds: try row.number(3))
                if try row.length(4) > 0 { isOver = false }
                return tally
            }
            return (tallies, isOver)
        }
    }

    /// The hosts of the flows that lists show.
    fileprivate func flowTallies() throws(CaptureFailure) -> [HostTally] {
        guard let flows = TrafficFilter().flows else { return [] }
        let condition = flows.selection
        return try read { db in
            let sql = """
                SELECT authority, count(CASE WHEN failed THEN 1 END), max(opened) AS opened FROM flow
                WHERE \(condition.sql) GROUP BY authority HAVING authority IS NOT NULL
                """
            return try db.rows("flow", sql, condition.arguments) { row in
                var tally = HostTally(place: HostTally.Place(try row.text(0), scheme: 2))
                tally.failed = Int(try row.length(1))
                tally.last = Timestamp(microseconds: try row.number(2))
                return tally
            }
        }
    }
}
