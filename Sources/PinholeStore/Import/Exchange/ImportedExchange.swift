import PinholeModel

/// An exchange as a file of another program tells it.
struct ImportedExchange {
    /// The exchange without numbers; its bodies lie in it whole.
    var record: ExchangeRecord
    /// What the file tells of the connection.
    var connection = ImportedConnection()
    /// What people said of it.
    var note = TrafficNote()
    /// The messages, where it became a WebSocket; their payloads lie in them whole.
    var messages: [WebSocketMessage] = []
    /// What is not as it should be: where it is, what was expected and what is there.
    private(set) var doubts: [ImportDoubt: String] = [:]

    /// Begins with what every request has.
    init(
        to url: ImportedURL,
        method: String,
        head: [UInt8],
        started: Timestamp
    ) {
        record = ExchangeRecord(
            id: ExchangeID(rawValue: 0),
            flow: FlowID(rawValue: 0),
            scheme: url.scheme,
            authority: url.authority,
            method: method,
            path: method == "OPTIONS" && url.target.isEmpty ? "*" : url.path,
            request: MessageRecord(head: head),
            timings: ExchangeTimings(started: started)
        )
        record.request.body.isComplete = true
    }

    /// Notes that there is no date of its beginning.
    ///
    /// - Parameters:
    ///   - member: Where it should be.
    ///   - found: What is there; `nil` for nothing.
    ///   - expected: What a date is there.
    mutating func lacksDate(
        at member: String,
        _ found: String?,
        expected: String = "a date and a time (ISO 8601)"
    ) {
        doubt(.date, "\(member): expected \(expected), found \(found ?? "nothing")")
    }

    /// Notes what is not as it should be; of several of a kind the first is kept.
    mutating func doubt(_ doubt: ImportDoubt, _ sentence: String) {
        if doubts[doubt] == nil { doubts[doubt] = sentence }
    }
}

/// What a file tells of the connection that an exchange came over.
struct ImportedConnection {
    /// Tells connections of one file apart; `nil` where the file does not.
    var key: String?
    /// The client's address, `host:port`.
    var client: String?
    /// The program that made the connection.
    var clientProcess: ClientProcess?
    /// The server's address, `host:port`.
    var server: String?
    /// The handshake with the client.
    var clientHandshake: HandshakeRecord?
    /// The handshake with the server.
    var serverHandshake: HandshakeRecord?
}

extension BodyRecord {
    /// A body of which `bytes` are there.
    ///
    /// - Parameters:
    ///   - bytes: What was captured.
    ///   - length: How many bytes passed, where that is more.
    init(captured bytes: [UInt8], length: Int64? = nil) {
        self.init()
        inline = bytes
        capturedLength = Int64(bytes.count)
        self.length = max(length ?? 0, capturedLength)
        isComplete = true
    }
}
