import GRDB
import PinholeFilter
package import PinholeModel

/// What becomes new in a capture, or changes there, as it is recorded by this process or another.
///
/// It remembers how far it has told and what goes on, and asks the file for the rest. So somebody who looks
/// away for an hour costs what somebody does who looks all the time: a few numbers.
package struct TrafficChanges {
    /// Where a reader of changes stands, to be told again later.
    package struct Position: Sendable, Equatable {
        /// The highest number that was told.
        package var last: Int64
        /// When that was.
        package var time: Timestamp

        /// A position.
        package init(last: Int64, time: Timestamp) {
            self.last = last
            self.time = time
        }
    }

    /// What became known.
    package struct Step: Sendable, Equatable {
        /// What is new, or has changed.
        package var rows: [TrafficRow] = []
        /// Everything up to this number was removed.
        package var goneUpTo: Int64?
        /// What lies between is not told: there is too much of it.
        package var leftOut: ClosedRange<Int64>?
        /// Whether there is more to tell at once.
        package var hasMore = false
    }

    /// What can be seen of a row to have changed.
    private struct Sign: Equatable {
        let status: Int?
        let bytes: Int64
        let messages: Int64
    }

    /// Rows that are told at once.
    private static let page = 500
    /// How far somebody may be behind and still be told all of it.
    private static let reach: Int64 = 20_000
    /// Rows behind the newest in which those are looked for that go on.
    private static let window: Int64 = 50_000
    /// Those that go on and are looked at again; beyond that, the oldest are given up.
    private static let awaitedAtMost = 1000
    /// Flows whose program may be found out yet; beyond that, none is looked at again.
    private static let anonymousAtMost = 1000
    /// Batches of several loops are written one after the other, and a connection without a request is judged some
    /// seconds after its end.
    private static let overlap = Duration.seconds(5)
    /// After this time no number comes any more that is lower than one that was there: what takes long is recorded
    /// while it does, but for what a filter of the capture decides about at its end alone.
    private static let settling = (usual: Duration.seconds(5), filtered: Duration.seconds(600))
    /// Numbers behind the newest in which those are looked for that come late, however many came meanwhile.
    private static let unsettledAtMost: Int64 = 10_000

    /// Where it stands.
    package private(set) var position: Position
    /// Whether a filter decides what is recorded, so that some is recorded late.
    package var isFiltered = false
    private var version: Int64?
    private var first: Int64 = 0
    private var awaited: [Int64: Sign?] = [:]
    /// The flows that were told, with the time of their end.
    private var flows: [Int64: Timestamp] = [:]
    /// The relays that were told, and go on as far as is known.
    private var relays: Set<Int64> = []
    private var flowsClosedAfter: Timestamp
    /// Rows that were told before the program was found out that made the connection, by their flows.
    private var anonymous: [Int64: (rows: Set<Int64>, told: Timestamp)] = [:]
    private var isCatchingUp = true
    /// The highest numbers at moments, the oldest first, which are settled up to the first of them.
    private var marks: [(time: Timestamp, last: Int64)] = []
    /// The exchanges behind those that were told, or were there before.
    private var told: Set<Int64> = []

    /// Begins where an earlier one stood, or at the end of what is there.
    ///
    /// - Parameters:
    ///   - position: Where the earlier one stood; `nil` for the end.
    ///   - now: The time.
    ///   - reader: The capture.
    /// - Throws: ``CaptureFailure`` when it cannot be read.
    package init(
        from position: Position?,
        now: Timestamp,
        in reader: CaptureReader
    ) throws(CaptureFailure) {
        let ends = try reader.ends()
        first = ends.first
        let last = min(position?.last ?? ends.last, ends.last)
        self.position = Position(last: last, time: now)
        let time = position?.time ?? now
        flowsClosedAfter = time - Self.overlap
        for id in try reader.openExchanges(in: last - Self.window...last, orEndedAfter: time - Self.overlap) {
            awaited[id] = .some(nil)
        }
        // Whoever comes anew has just read how they stand.
        if position == nil {
            let rows = try reader.traffic(ids: awaited.keys.sorted())
            note(rows, at: now)
            for row in rows {
                if row.hasEnded {
                    awaited.removeValue(forKey: row.id)
                } else {
                    awaited[row.id] = Self.sign(row)
                }
            }
            _ = try newFlows(reader, at: now)
        }
        marks = [(now, max(0, last - Self.unsettledAtMost))]
        if position == nil { _ = try newRelays(reader) }
        told = Set(try reader.exchangeIDs(in: settled + 1...max(settled + 1, last)))
    }

    /// What became known since the last step.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - reader: The capture.
    /// - Returns: The step; an empty one where nothing was written since.
    /// - Throws: ``CaptureFailure`` when it cannot be read.
    package mutating func next(at now: Timestamp, in reader: CaptureReader) throws(CaptureFailure) -> Step {
        var step = Step()
        let version = try reader.version()
        guard isCatchingUp || version != self.version else { return step }
        self.version = version
        let ends = try reader.ends()
        if ends.first > first, first > 0 || ends.first > 1 { step.goneUpTo = ends.first - 1 }
        first = ends.first
        if ends.last - position.last > Self.reach {
            step.leftOut = position.last + 1...ends.last
            position.last = ends.last
            awaited = [:]
            marks = [(now, ends.last)]
            told = []
            for id in try reader.openExchanges(in: ends.last - Self.window...ends.last, orEndedAfter: now) {
                awaited[id] = .some(nil)
            }
        }
        step.rows = try changed(reader) + lateExchanges(reader)
        let new = try newExchanges(reader)
        step.hasMore = new.count == Self.page
        isCatchingUp = step.hasMore
        step.rows += new
        step.rows += try newFlows(reader, at: now) + newRelays(reader)
        let told = Set(step.rows.map(\.id))
        step.rows += try identified(reader).filter { !told.contains($0.id) }
        note(step.rows, at: now)
        step.rows.sort { $0.id < $1.id }
        position.time = now
        settle(at: now)
        return step
    }

    private mutating func newExchanges(_ reader: CaptureReader) throws(CaptureFailure) -> [TrafficRow] {
        var filter = TrafficFilter()
        filter.flows = nil
        let rows = try reader.traffic(filter, after: position.last, order: .oldestFirst, limit: Self.page)
        for row in rows {
            position.last = max(position.last, row.id)
            take(row)
        }
        let surplus = awaited.count - Self.awaitedAtMost
        if surplus > 0 { for id in awaited.keys.sorted().prefix(surplus) { awaited[id] = nil } }
        return rows
    }

    /// Those that came after others with higher numbers, which were told: their numbers are given when they begin.
    private mutating func lateExchanges(_ reader: CaptureReader) throws(CaptureFailure) -> [TrafficRow] {
        guard settled < position.last else { return [] }
        let ids = try reader.exchangeIDs(in: settled + 1...position.last).filter { !told.contains($0) }
        let rows = try reader.traffic(ids: Array(ids.prefix(Self.page)))
        for row in rows { take(row) }
        return rows
    }

    private mutating func take(_ row: TrafficRow) {
        told.insert(row.id)
        if !row.hasEnded { awaited[row.id] = Self.sign(row) }
    }

    /// Those whose program was found out after they were told.
    private mutating func identified(_ reader: CaptureReader) throws(CaptureFailure) -> [TrafficRow] {
        guard !anonymous.isEmpty else { return [] }
        let known = try reader.identifiedFlows(among: Array(anonymous.keys))
        return try reader.traffic(ids: known.flatMap { anonymous.removeValue(forKey: $0)?.rows ?? [] })
    }

    /// Remembers whose program is not known; it is found out within seconds, or never.
    private mutating func note(_ rows: [TrafficRow], at now: Timestamp) {
        anonymous = anonymous.filter { now - $0.value.told < Self.settling.usual }
        for row in rows where row.process == nil {
            guard anonymous[row.flow] != nil || anonymous.count < Self.anonymousAtMost else { continue }
            anonymous[row.flow, default: ([], now)].rows.insert(row.id)
        }
    }

    /// Up to which number nothing comes any more.
    private var settled: Int64 { marks.first?.last ?? position.last }

    private mutating func settle(at now: Timestamp) {
        let settling = isFiltered ? Self.settling.filtered : Self.settling.usual
        marks.append((now, position.last))
        while marks.count > 1, now - marks[1].time >= settling { marks.removeFirst() }
        let least = position.last - Self.unsettledAtMost
        if settled < least { marks[0].last = least }
        if told.count > 2 * Int(Self.unsettledAtMost) { told = told.filter { $0 > settled } }
    }

    /// Of those that went on, the ones that have changed.
    private mutating func changed(_ reader: CaptureReader) throws(CaptureFailure) -> [TrafficRow] {
        guard !awaited.isEmpty else { return [] }
        let rows = try reader.traffic(ids: awaited.keys.sorted())
        var still: [Int64: Sign?] = [:]
        var changed: [TrafficRow] = []
        for row in rows {
            let sign = Self.sign(row)
            if row.hasEnded || awaited[row.id] != .some(sign) { changed.append(row) }
            if !row.hasEnded { still[row.id] = sign }
        }
        awaited = still
        return changed
    }

    /// Relays are listed while they go on, too; what becomes of them is told as of all flows.
    private mutating func newRelays(_ reader: CaptureReader) throws(CaptureFailure) -> [TrafficRow] {
        var filter = FlowFilter()
        filter.onlyListed = true
        filter.onlyOpen = true
        filter.after = FlowID(rawValue: position.last - Self.unsettledAtMost)
        let rows = try reader.flows(filter, order: .oldestFirst, limit: Self.page)
        let new = rows.filter { !relays.contains($0.id.rawValue) }
        relays = Set(rows.map(\.id.rawValue))
        return new.map { TrafficRow(kind: .flow($0)) }
    }

    /// Flows are listed once they are closed, long after their number was given; spare connections by filters that
    /// name them.
    private mutating func newFlows(
        _ reader: CaptureReader,
        at now: Timestamp
    ) throws(CaptureFailure) -> [TrafficRow] {
        var filter = FlowFilter()
        filter.onlyListed = true
        filter.closedSince = flowsClosedAfter
        var rows = try reader.flows(filter, order: .oldestFirst, limit: Self.page)
        // Two separate queries can use an index each.
        var spares = FlowFilter(Filter(.flag(.spare)))
        spares.closedSince = flowsClosedAfter
        rows += try reader.flows(spares, order: .oldestFirst, limit: Self.page)
        let new = rows.filter { flows[$0.id.rawValue] == nil }
        for row in new { flows[row.id.rawValue] = row.closed ?? now }
        flowsClosedAfter = max(
            flowsClosedAfter,
            (rows.compactMap(\.closed).max() ?? flowsClosedAfter) - Self.overlap
        )
        flows = flows.filter { $0.value >= flowsClosedAfter }
        return new.map { TrafficRow(kind: .flow($0)) }
    }

    private static func sign(_ row: TrafficRow) -> Sign? {
        guard case .exchange(let summary) = row.kind else { return nil }
        return sign(summary)
    }

    private static func sign(_ summary: ExchangeSummary) -> Sign {
        Sign(
            status: summary.status,
            bytes: summary.requestBody.length + (summary.responseBody?.length ?? 0),
            messages: summary.messages
        )
    }
}

extension CaptureReader {
    /// A number that changes whenever another connection has written.
    fileprivate func version() throws(CaptureFailure) -> Int64 {
        try read { db in try db.number("the file", "PRAGMA data_version") ?? 0 }
    }

    /// Those of some flows whose program is known.
    fileprivate func identifiedFlows(among ids: [Int64]) throws(CaptureFailure) -> [Int64] {
        try read { db in
            guard try CaptureSchema.hasProcesses(db) else { return [] }
            let condition = SQLCondition.all([.isAmong(ids), SQLCondition("process_id IS NOT NULL")])
            let sql = "SELECT id FROM flow WHERE \(condition.sql)"
            return try db.rows("flow", sql, condition.arguments) { row in try row.id(0) }
        }
    }

    /// The lowest number of all, and the highest of an exchange; 0 where there is nothing.
    fileprivate func ends() throws(CaptureFailure) -> (first: Int64, last: Int64) {
        try read { db in
            let sql = """
                SELECT coalesce((SELECT min(id) FROM exchange), 0), coalesce((SELECT min(id) FROM flow), 0),
                    coalesce((SELECT max(id) FROM exchange), 0)
                """
            let ends = try db.row("exchange", sql) { row in try (0...2).map { try row.id($0) } } ?? [0, 0, 0]
            return (ends.prefix(2).filter { $0 > 0 }.min() ?? 0, ends[2])
        }
    }

    /// The exchanges in a range of numbers that go on, or ended after a time.
    fileprivate func openExchanges(
        in range: ClosedRange<Int64>,
        orEndedAfter time: Timestamp
    ) throws(CaptureFailure) -> [Int64] {
        try read { db in
            let sql = """
                SELECT id FROM exchange WHERE id BETWEEN ? AND ? AND (outcome IS NULL OR started + ended >= ?)
                ORDER BY id DESC LIMIT 1000
                """
            let arguments: StatementArguments = [range.lowerBound, range.upperBound, time.microseconds]
            return try db.rows("exchange", sql, arguments) { row in try row.id(0) }
        }
    }
}
