import PinholeFilter
import PinholeModel
import PinholeSession
import PinholeStore

/// Requests for the list of traffic.
extension ConsoleCall {
    func state(_ reader: CaptureReader) throws -> ConsoleAnswer { .json(try currentState(reader)) }

    func currentState(_ reader: CaptureReader) throws(CaptureFailure) -> ConsoleState {
        let extent = try api.counter.extent(reader)
        let standstill = api.subject.store?.standstill
        return ConsoleState(
            version: ControlVersion.current,
            proxy: api.subject.proxy,
            capture: ConsoleState.Capture(
                path: api.subject.shown(api.subject.capture),
                bytes: extent.bytes,
                exchanges: extent.exchanges,
                flows: extent.flows,
                spares: extent.spares,
                first: extent.first,
                last: extent.last,
                standstill: standstill.map(ConsoleState.Standstill.init)
            ),
            ca: api.subject.authority,
            started: api.subject.started.iso8601,
            isRecording: standstill == nil && api.subject.control?.isRecording ?? false,
            isReadOnly: api.subject.isReadOnly,
            scope: api.subject.control?.scope,
            throttling: api.subject.control?.throttling.map {
                ConsoleState.Throttling(name: $0.name, filter: $0.filter)
            } ?? [],
            commands: api.subject.commands
        )
    }

    func traffic(_ reader: CaptureReader) throws -> ConsoleAnswer {
        if let ids = try ids() {
            let rows = try reader.traffic(ids: ids)
            return .json(TrafficPageJSON(rows, more: nil))
        }
        let limit = Int(try number("limit", default: 200, in: 1...Int64(api.limits.page)))
        let before = try bound("before")
        let patience = try request.value("within").map { _ throws(Problem) in
            try number("within", default: 0, in: 1...60_000)
        }
        let deadline = patience.map { ContinuousClock.now + .milliseconds($0) }
        let reader = deadline.map { reader.until($0) } ?? reader
        let rows = try reader.traffic(try filter(), before: before, limit: limit + 1)
        let isOver = deadline.map { ContinuousClock.now >= $0 } ?? false
        return .json(
            TrafficPageJSON(rows.prefix(limit), more: rows.count > limit || isOver)
        )
    }

    /// The bound of a range of numbers that the query has; `nil` if it has none.
    private func bound(_ name: String) throws(Problem) -> Int64? {
        guard request.value(name) != nil else { return nil }
        return try number(name, default: .max, in: 1...Int64.max)
    }

    func index(_ reader: CaptureReader) throws -> ConsoleAnswer {
        var filter = try filter()
        if let after = try bound("after") { filter.restrict(after: after) }
        if let before = try bound("before") { filter.restrict(before: before) }
        let bytes =
            if let sort = try sort() {
                try index(of: filter, sortedBy: sort, reader)
            } else if filter.isEverything {
                try api.index.index(reader) { request.abandonment.isAbandoned }
            } else {
                try index(of: filter, reader)
            }
        guard let bytes else { throw Problem(499, "abandoned", "nobody waits for it") }
        return ConsoleAnswer(200, fields: [("Content-Type", "application/octet-stream")], body: .bytes(bytes))
    }

    private func index(of filter: TrafficFilter, _ reader: CaptureReader) throws -> [UInt8]? {
        var numbers = NumberDifferences()
        let isCancelled = { request.abandonment.isAbandoned }
        let isWhole = try reader.trafficIDs(filter, isCancelled: isCancelled) { numbers.append($0) }
        return isWhole ? numbers.bytes : nil
    }

    private func index(
        of filter: TrafficFilter,
        sortedBy sort: TrafficSort,
        _ reader: CaptureReader
    ) throws -> [UInt8]? {
        let isCancelled = { request.abandonment.isAbandoned }
        return try reader.trafficIDs(filter, sortedBy: sort, isCancelled: isCancelled).map { ids in
            var steps = NumberSteps()
            for id in ids { steps.append(id) }
            return steps.bytes
        }
    }

    func hosts(_ reader: CaptureReader) throws -> ConsoleAnswer {
        let filter = try filter()
        // The number is read first: events report what arrives in between.
        let last = try reader.lastID()
        let isCancelled = { request.abandonment.isAbandoned }
        let tallies =
            filter.isEverything
            ? try api.index.hosts(reader, isCancelled: isCancelled)
            : try reader.hosts(filter, isCancelled: isCancelled)
        guard let tallies else { throw Problem(499, "abandoned", "nobody waits for it") }
        return .json(HostTallies(tallies, upTo: last))
    }

    /// Checks a text as a filter and returns its canonical form.
    ///
    /// A text that is not a filter is a valid question, so the answer has status 200 with the problem in it.
    func checkFilter() throws -> ConsoleAnswer {
        let filter: Filter
        do throws(Problem) {
            filter = try condition(request.value("text"))
        } catch {
            return .json(MistakenFilter(problem: Problem.Document(error)))
        }
        let isSQL = FilterPlan.exchanges(filter).rest == nil
        return .json(
            UnderstoodFilter(
                canonical: filter == .everything ? "" : filter.description,
                isSQL: isSQL,
                remarks: filter.remarks
            )
        )
    }

    /// Answers with a filter that is similar to one without matches, and with the number of its matches.
    func suggestFilter(_ reader: CaptureReader) throws -> ConsoleAnswer {
        let abandonment = request.abandonment
        let found = try reader.suggestion(for: try condition(request.value("filter"))) {
            abandonment.isAbandoned
        }
        return .json(
            SuggestedFilter(
                suggestion: found.map {
                    .init(filter: "\($0.filter)", entries: $0.entries, isWhole: $0.isWhole)
                }
            )
        )
    }
}

/// The hosts of the exchanges and flows that a filter selects.
struct HostTallies: Codable, DescribedMembers {
    static let described: [FieldJSON] = [
        FieldJSON("upTo", "The highest number that is counted.")
    ]

    struct Tally: Codable, DescribedMembers {
        static let described: [FieldJSON] = [
            FieldJSON("ports", "The same, port by port.")
        ]

        let host: String
        let exchanges: Int
        let failed: Int
        let last: String
        let ports: [Port]
    }

    struct Port: Codable {
        let port: UInt16
        let exchanges: Int
        let failed: Int
    }

    let hosts: [Tally]
    /// The highest exchange or flow number that the tallies include.
    let upTo: Int64

    /// Groups the ports of each host; `tallies` begin with the most recently used.
    init(_ tallies: [HostTally], upTo: Int64) {
        self.upTo = upTo
        var order: [String] = []
        var groups: [String: [HostTally]] = [:]
        for tally in tallies {
            if groups[tally.place.host, default: []].isEmpty { order.append(tally.place.host) }
            groups[tally.place.host, default: []].append(tally)
        }
        hosts = order.map { host in
            let group = groups[host] ?? []
            return Tally(
                host: host,
                exchanges: group.reduce(0) { $0 + $1.exchanges },
                failed: group.reduce(0) { $0 + $1.failed },
                last: group.first?.last.iso8601Milliseconds ?? "",
                ports: group.sorted { $0.place.port < $1.place.port }.map {
                    Port(port: $0.place.port, exchanges: $0.exchanges, failed: $0.failed)
                }
            )
        }
    }
}
