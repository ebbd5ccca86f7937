import GRDB
package import PinholeModel

/// Which end of a list comes first.
package enum CaptureOrder: Sendable {
    /// What came last is first.
    case newestFirst
    /// What came first is first.
    case oldestFirst
}

/// Which exchanges are meant; every condition that is given must hold.
package struct ExchangeFilter: Sendable {
    /// The host, and the port where the pattern has one.
    package var host: HostPattern?
    /// The method, in any case.
    package var method: String?
    /// The status.
    package var status: ClosedRange<Int>?
    /// A text that the URL contains, ASCII letters in any case.
    package var text: String?
    /// Not earlier than this.
    package var since: Timestamp?
    /// The flow that they belong to.
    package var flow: FlowID?
    /// Only those that were cut off, could not be carried over, or got an error from the proxy itself.
    package var onlyFailed = false
    /// Only those that are over.
    package var onlyEnded = false
    /// Only those that came after this one; so a list can be continued.
    package var after: ExchangeID?
    /// Only those that came before this one.
    package var before: ExchangeID?
    /// Only these.
    package var among: [ExchangeID]?

    /// Creates a filter that lets everything through.
    package init() {}

    /// The conditions that SQLite can judge.
    ///
    /// The host is matched by ``HostPattern``.
    func condition(firstID: Int64?) -> (sql: String, arguments: StatementArguments) {
        var parts = ["1"]
        var arguments = StatementArguments()
        func add(_ sql: String, _ values: any DatabaseValueConvertible...) {
            parts.append(sql)
            for value in values { arguments += [value] }
        }
        if let method { add("method = ? COLLATE NOCASE", method) }
        if let status { add("status BETWEEN ? AND ?", status.lowerBound, status.upperBound) }
        if let text { add(#"\#(Self.url) LIKE ? ESCAPE '\'"#, Self.pattern(containing: text)) }
        if let since { add("started >= ?", since.microseconds) }
        if let firstID { add("id >= ?", firstID) }
        if let flow { add("flow = ? AND id > ?", flow.rawValue, flow.rawValue) }
        if onlyFailed { add(Self.failed) }
        if onlyEnded { add("outcome IS NOT NULL") }
        if let after { add("id > ?", after.rawValue) }
        if let before { add("id < ?", before.rawValue) }
        if let among { parts.append(Self.isAmong(among.map(\.rawValue))) }
        return (parts.joined(separator: " AND "), arguments)
    }

    fileprivate static func isAmong(_ ids: [Int64]) -> String {
        "id IN (\(ids.map(String.init).joined(separator: ",")))"
    }

    static let failed: String = {
        let kinds: [OutcomeCode.Kind] = [.abortedByClient, .abortedByServer, .failed]
        let codes = kinds.map { "\($0.rawValue)" }.joined(separator: ",")
        let answered = OutcomeCode.Kind.answeredByProxy.rawValue
        return "(outcome IN (\(codes)) OR (outcome = \(answered) AND status >= 400))"
    }()

    private static let url =
        "(CASE scheme WHEN 1 THEN 'https://' ELSE 'http://' END || authority || path)"

    fileprivate static func pattern(containing text: String) -> String {
        "%" + text.map { "%_\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "%"
    }
}

/// Which flows are meant; every condition that is given must hold.
package struct FlowFilter: Sendable {
    /// The host that was asked for, and the port where the pattern has one.
    package var host: HostPattern?
    /// What was done with the tunnel.
    package var treatment: Treatment?
    /// A text that the host and port contain, ASCII letters in any case.
    package var text: String?
    /// Not opened earlier than this.
    package var since: Timestamp?
    /// Only those that lists show beside exchanges: closed, and relayed unread or failed without an exchange
    /// that would tell.
    package var onlyListed = false
    /// Only those that failed, or in which a handshake failed.
    package var onlyFailed = false
    /// Only those that are closed.
    package var onlyClosed = false
    /// Only those that were closed at this time or later.
    package var closedSince: Timestamp?
    /// Only those that came after this one.
    package var after: FlowID?
    /// Only those that came before this one.
    package var before: FlowID?
    /// Only these.
    package var among: [FlowID]?

    /// What the index `flow_listed` holds; the words have to be the same wherever it is to be used.
    static let mayBeListed =
        "closed IS NOT NULL AND (failed = 1 OR treatment IN ('passedThrough', 'opaque'))"

    /// What is left to ask of those: exchanges tell of a failure themselves, except of a handshake's.
    static let isListed = """
        (treatment IN ('passedThrough', 'opaque') OR exchanges = 0 \
        OR record ->> '$.flow.clientHandshake.failure' IS NOT NULL \
        OR record ->> '$.flow.serverHandshake.failure' IS NOT NULL)
        """

    /// Creates a filter that lets everything through.
    package init() {}

    /// The conditions that SQLite can judge.
    func condition() -> (sql: String, arguments: StatementArguments) {
        var parts = ["1"]
        var arguments = StatementArguments()
        func add(_ sql: String, _ values: any DatabaseValueConvertible...) {
            parts.append(sql)
            for value in values { arguments += [value] }
        }
        if let treatment { add("treatment = ?", treatment.rawValue) }
        if let text { add(#"authority LIKE ? ESCAPE '\'"#, ExchangeFilter.pattern(containing: text)) }
        if onlyListed { add("\(Self.mayBeListed) AND \(Self.isListed)") }
        if let since { add("opened >= ?", since.microseconds) }
        if onlyFailed { add("failed = 1") }
        if onlyClosed { add("closed IS NOT NULL") }
        if let closedSince { add("closed >= ?", closedSince.microseconds) }
        if let after { add("id > ?", after.rawValue) }
        if let before { add("id < ?", before.rawValue) }
        if let among { parts.append(ExchangeFilter.isAmong(among.map(\.rawValue))) }
        return (parts.joined(separator: " AND "), arguments)
    }
}
