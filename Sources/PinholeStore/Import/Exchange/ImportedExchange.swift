import PinholeModel

/// An exchange from a file of another program.
struct ImportedExchange {
    /// The exchange without numbers; it contains its whole bodies.
    var record: ExchangeRecord
    /// The facts about the connection in the file.
    var connection = ImportedConnection()
    /// The mark and the comment in the file.
    var note = TrafficNote()
    /// The messages of a WebSocket, with their whole payloads.
    var messages: [WebSocketMessage] = []
    /// The faults in the file, each as a sentence with the place, the expectation and the finding.
    private(set) var doubts: [ImportDoubt: String] = [:]

    /// Creates an exchange from the parts that every request has.
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

    /// Notes that the date of the beginning is missing or invalid.
    ///
    /// - Parameters:
    ///   - member: The place of the date in the file.
    ///   - found: The text in that place; `nil` for nothing.
    ///   - expected: The form of a date in that place.
    mutating func lacksDate(
        at member: String,
        _ found: String?,
        expected: String = "a date and a time (ISO 8601)"
    ) {
        doubt(.date, "\(member): expected \(expected), found \(found ?? "nothing")")
    }

    /// Notes a fault; only the first sentence of each kind is kept.
    mutating func doubt(_ doubt: ImportDoubt, _ sentence: String) {
        if doubts[doubt] == nil { doubts[doubt] = sentence }
    }
}

/// The facts about the connection of an exchange in a file.
struct ImportedConnection {
    /// The identity of the connection within the file; `nil` if the file has none.
    var key: String?
    /// The client's address, `host:port`.
    var client: String?
    /// The program that made the connection.
    var clientProcess: ClientProcess?
    /// The server's address, `host:port`.
    var server: String?
    var clientHandshake: HandshakeRecord?
    var serverHandshake: HandshakeRecord?
}

extension BodyRecord {
    /// Creates the record of a body.
    ///
    /// - Parameters:
    ///   - bytes: The captured bytes.
    ///   - length: The length of the whole body, if that is more.
    init(captured bytes: [UInt8], length: Int64? = nil) {
        self.init()
        inline = bytes
        capturedLength = Int64(bytes.count)
        // A longer body than a capture can have counts as one of unknown length.
        let length = length.flatMap { FieldRange.lengths.contains($0) ? $0 : nil }
        self.length = max(length ?? 0, capturedLength)
        isComplete = true
    }
}
