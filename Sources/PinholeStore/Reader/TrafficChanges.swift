/// Follows the new and changed rows of a capture that this process or another records.
///
/// The writers note every change in the capture (`ChangeLog`). So a follower remembers one number, and a client that
/// pauses for an hour costs as little memory as one that follows all the time.
package struct TrafficChanges: Sendable {
    /// The changes of one step.
    package struct Step: Sendable, Equatable {
        /// The rows that were recorded, perhaps again.
        package var rows: [TrafficRow] = []
        /// The other rows that have a new note, or whose program was found.
        package var amended: [TrafficRow] = []
        /// The number up to which all rows were removed; `nil` if none were.
        package var goneUpTo: Int64?
        /// Whether single rows were removed.
        package var hasRemovals = false
        /// Whether changes were left out, because there are too many or they are not kept any more.
        package var isBehind = false
        /// Whether there are more changes to report at once.
        package var hasMore = false

        /// Whether nothing has changed.
        package var isEmpty: Bool {
            rows.isEmpty && amended.isEmpty && goneUpTo == nil && !hasRemovals && !isBehind
        }

        /// Returns the recorded and the amended rows that a filter selects.
        ///
        /// - Parameters:
        ///   - filter: The filter; `nil` for all rows that lists show.
        ///   - reader: The capture.
        /// - Returns: The rows.
        /// - Throws: ``CaptureFailure`` if it cannot be read.
        package func rows(
            matching filter: TrafficFilter?,
            in reader: CaptureReader
        ) throws(CaptureFailure) -> [TrafficRow] {
            let rows = rows + amended
            guard let filter, !rows.isEmpty else { return rows.filter { !$0.isSpare } }
            let matched = try reader.trafficIDs(filter, among: rows.map(\.id))
            return rows.filter { matched.contains($0.id) }
        }
    }

    /// The number of changes in one step, and of exchanges whose program was found.
    fileprivate static let page = 500
    /// The number of changes up to which a page gets all rows; beyond it, a list is read again more quickly.
    private static let reach: Int64 = 20_000
    private let reach: Int64

    /// The revision of the last reported change, from which another follower can continue later.
    package private(set) var revision: Int64
    /// The revision of the capture after the rows of the last step were read.
    ///
    /// A row may be newer than its change. Then a later change up to this revision reports the same state again.
    package private(set) var readAt: Int64

    /// Continues from an earlier revision, or begins at the present state of the capture.
    ///
    /// - Parameters:
    ///   - revision: The earlier revision; `nil` for the present state.
    ///   - reader: The capture.
    ///   - readsAll: Whether the follower wants all changes that are kept, however many they are.
    /// - Throws: ``CaptureFailure`` if it cannot be read.
    package init(
        after revision: Int64?,
        in reader: CaptureReader,
        readsAll: Bool = false
    ) throws(CaptureFailure) {
        let newest = try reader.revision()
        self.revision = revision ?? newest
        readAt = newest
        reach = readsAll ? ChangeLog.kept : Self.reach
    }

    /// Returns the changes since the last step.
    ///
    /// - Returns: The step; an empty one if nothing was written since.
    /// - Throws: ``CaptureFailure`` if it cannot be read.
    package mutating func next(in reader: CaptureReader) throws(CaptureFailure) -> Step {
        let newest = try reader.revision()
        guard newest != revision else { return Step() }
        // A smaller revision is that of another file in the same place.
        guard newest > revision, newest - revision <= reach,
            let changes = try reader.changes(after: revision, limit: Self.page), let last = changes.last
        else {
            (revision, readAt) = (newest, newest)
            return Step(isBehind: true)
        }
        revision = last.revision
        var step = Step(hasMore: revision < newest)
        var numbers: [ChangeLog.Kind: [Int64]] = [:]
        for change in changes { numbers[change.kind, default: []].append(change.number) }
        let (written, identified) = (numbers[.written] ?? [], numbers[.identified] ?? [])
        step.rows = try reader.listed(written)
        let exchanges = try reader.exchangeIDs(of: identified)
        step.amended = try reader.listed(identified + exchanges + (numbers[.noted] ?? []), except: written)
        step.goneUpTo = numbers[.removedUpTo]?.max()
        step.hasRemovals = numbers[.removed] != nil
        readAt = try reader.revision()
        return step
    }
}

extension CaptureReader {
    /// Returns the exchanges and flows among these that lists show, spare connections included, in order.
    fileprivate func listed(
        _ ids: [Int64],
        except others: [Int64] = []
    ) throws(CaptureFailure) -> [TrafficRow] {
        let ids = Set(ids).subtracting(others).sorted()
        guard !ids.isEmpty else { return [] }
        return try traffic(ids: ids, onlyListed: true)
    }

    /// Returns the first exchanges of flows, which have higher numbers than the first flow.
    ///
    /// A program is found soon after the flow began, so later exchanges are written with it.
    fileprivate func exchangeIDs(of flows: [Int64]) throws(CaptureFailure) -> [Int64] {
        guard let first = flows.min() else { return [] }
        return try read { db in
            let condition = SQLCondition.all([
                SQLCondition("id > ?", .number(first)), .isAmong(flows, column: "flow"),
            ])
            let sql =
                "SELECT id FROM exchange WHERE \(condition.sql) ORDER BY id LIMIT \(TrafficChanges.page)"
            return try db.rows("exchange", sql, condition.values) { row in try row.id(0) }
        }
    }
}
