package import PinholeModel

/// An exchange as lists show it: without heads and bodies.
package struct ExchangeSummary: Sendable, Equatable {
    /// The number of the exchange.
    package var id: ExchangeID
    /// The flow that it belongs to.
    package var flow: FlowID
    /// `https` or `http`.
    package var scheme: Scheme
    /// The server that was meant.
    package var authority: Authority
    /// The user who logged in to the proxy; `nil` where nobody had to.
    package var proxyUser: String?
    /// The method, as it came.
    package var method: String
    /// The path and query, as they came.
    package var path: String
    /// The final status; `nil` until a response came.
    package var status: Int?
    /// When each stage was reached.
    package var timings: ExchangeTimings
    /// How it ended; `nil` while it goes on.
    package var outcome: ExchangeOutcome?
    /// What the proxy did to it.
    package var notes: [ExchangeNote]
    /// Length and completeness of the request's body; its bytes are not read.
    package var requestBody: BodyRecord
    /// Length and completeness of the response's body; `nil` until a response came.
    package var responseBody: BodyRecord?
    /// How many messages were recorded so far, where it became a WebSocket.
    package var messages: Int64

    /// The URL that was requested; the port is left out where it is the scheme's own.
    package var url: String { scheme.url(of: path, at: authority) }
}

extension ExchangeSummary {
    /// The columns of the table that `init(row:)` reads, in its order.
    private static let columns = """
        id, flow, started, ended, scheme, authority, method, path, status, outcome, detail, notes, state, \
        blocked, resolve, connect, tls, request_ended, response_started, \
        request_length, request_captured, response_length, response_captured
        """

    /// The columns, and after them the user and the number of messages; counted in the one table that has them, and
    /// only for a WebSocket.
    ///
    /// - Parameters:
    ///   - hasMessages: Whether the file has that table: schema 1 had not.
    ///   - hasUsers: Whether the file has the users of schema 8.
    /// - Returns: What follows SELECT.
    static func columns(hasMessages: Bool, hasUsers: Bool) -> String {
        let columns = "\(columns), \(hasUsers ? "proxy_user" : "NULL")"
        guard hasMessages else { return "\(columns), 0" }
        let bit = NoteBits.bits([.webSocket])
        return """
            \(columns), CASE WHEN notes & \(bit) THEN \
            (SELECT count(*) FROM message WHERE message.exchange = exchange.id) ELSE 0 END
            """
    }

    /// Reads a row of the table `exchange`.
    init(row: StoredRow) throws(StoredValueFault) {
        id = ExchangeID(rawValue: try row.id(0))
        flow = FlowID(rawValue: try row.id(1))
        scheme = try row.number(4, in: 0...1) == 1 ? .https : .http
        authority = try Self.authority(row, defaultPort: scheme.defaultPort)
        method = try row.text(6)
        path = try row.text(7)
        status = try row.optionalNumber(8).map { Int($0) }
        timings = try Self.timings(row)
        outcome = ExchangeOutcome(code: try row.optionalNumber(9), try row.optionalText(10))
        notes = NoteBits.notes(try row.number(11))
        proxyUser = try row.optionalText(23)
        messages = try row.length(24)
        let state = ExchangeState(rawValue: try row.number(12))
        requestBody = BodyRecord()
        requestBody.length = try row.length(19)
        requestBody.capturedLength = try row.length(20)
        requestBody.isComplete = state.contains(.requestComplete)
        guard state.contains(.hasResponse) else { return }
        var body = BodyRecord()
        body.length = try row.length(21)
        body.capturedLength = try row.length(22)
        body.isComplete = state.contains(.responseComplete)
        responseBody = body
    }

    private static func authority(
        _ row: StoredRow,
        defaultPort: UInt16
    ) throws(StoredValueFault) -> Authority {
        guard let authority = try? Authority(row.text(5), defaultPort: defaultPort) else {
            throw row.fault(5, "a host, with a port or without")
        }
        return authority
    }

    private static func timings(_ row: StoredRow) throws(StoredValueFault) -> ExchangeTimings {
        let started = Timestamp(microseconds: try row.number(2))
        var timings = ExchangeTimings(started: started)
        func moment(_ column: Int32) throws(StoredValueFault) -> Timestamp? {
            try duration(column).map { started + $0 }
        }
        func duration(_ column: Int32) throws(StoredValueFault) -> Duration? {
            try row.optionalNumber(column).map { .microseconds($0) }
        }
        timings.ended = try moment(3)
        timings.blocked = try duration(13)
        timings.resolve = try duration(14)
        timings.connect = try duration(15)
        timings.tls = try duration(16)
        timings.requestEnded = try moment(17)
        timings.responseStarted = try moment(18)
        return timings
    }
}

extension ExchangeRecord {
    /// What a list knows of an exchange: its heads are empty.
    package init(_ summary: ExchangeSummary) {
        var request = MessageRecord(head: [])
        request.body = summary.requestBody
        self.init(
            id: summary.id,
            flow: summary.flow,
            scheme: summary.scheme,
            authority: summary.authority,
            proxyUser: summary.proxyUser,
            method: summary.method,
            path: summary.path,
            request: request,
            timings: summary.timings
        )
        status = summary.status
        outcome = summary.outcome
        notes = summary.notes
        messages = summary.messages
        guard let body = summary.responseBody else { return }
        response = MessageRecord(head: [])
        response?.body = body
    }

    /// Adds a row of the table `content`.
    init(_ summary: ExchangeSummary, content row: StoredRow) throws(StoredValueFault) {
        self.init(summary)
        request.head = try row.bytes(1)
        request.body.inline = try row.bytes(2)
        request.trailers = try row.bytes(3)
        informational = HeadList.decode(try row.bytes(4))
        guard summary.responseBody != nil else { return }
        response?.head = try row.bytes(5)
        response?.body.inline = try row.bytes(6)
        response?.trailers = try row.bytes(7)
    }
}
