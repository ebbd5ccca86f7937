package import PinholeModel
package import PinholeStore

/// Copies a capture without the secrets that ``Redactor`` recognises, for `--known-only`.
///
/// The copy is searched for them again. That proves nothing about secrets that no list knows.
package struct CaptureRedaction {
    private var redactor: Redactor
    private let filter: TrafficFilter

    /// Prepares a redaction.
    ///
    /// - Parameters:
    ///   - redactor: Finds and replaces secrets.
    ///   - filter: The filter that selects exchanges and flows.
    package init(_ redactor: Redactor, filter: TrafficFilter = TrafficFilter()) {
        self.redactor = redactor
        self.filter = filter
    }

    /// Writes the copy; if a secret is left in it, or on any failure, there is no copy.
    ///
    /// - Parameters:
    ///   - source: The capture.
    ///   - target: The file of the copy, which must not exist.
    ///   - now: The time.
    /// - Returns: What was done.
    /// - Throws: `Redaction.Failure`.
    package mutating func write(
        _ source: String,
        to target: String,
        now: Timestamp
    ) throws(Redaction.Failure) -> Redaction.Summary {
        var summary = Redaction.Summary()
        try Redaction.write(to: target) { draft, _ throws(Redaction.Failure) in
            let left: [String]
            do throws(CaptureFailure) {
                try collect(CaptureReader(path: source))
                redactor.prepare()
                let records = RedactedRecords(redactor)
                let copy = CaptureCopy(into: draft, now: now)
                copy.changes = records
                summary.entries = try copy.add(source, filter)
                try copy.finish()
                guard summary.entries > 0 else { return nil }
                for secret in redactor.collected { summary.secrets[secret.kind, default: 0] += 1 }
                summary.common = redactor.collected.count - redactor.searched.count
                summary.bodiesLeftOut = records.bodiesLeftOut
                left = try leftovers(CaptureReader(path: draft))
            } catch {
                throw .capture(error)
            }
            guard left.isEmpty else { throw .found("secrets would be left", places: left) }
            return draft
        }
        return summary
    }

    private mutating func collect(_ reader: CaptureReader) throws(CaptureFailure) {
        try reader.eachWholeExchange(filter.exchanges) { record throws(CaptureFailure) in
            try redactor.collect(record, reader)
        }
    }

    /// Searches every value of the copy, and every body of it in decoded form, and returns what was found where.
    private func leftovers(_ reader: CaptureReader) throws(CaptureFailure) -> [String] {
        var found: [String: String] = [:]
        let search = { (bytes: [UInt8], place: String) in
            for occurrence in redactor.occurrences(in: bytes) {
                let text = "\(redactor.tag(occurrence.secret)) as \(occurrence.spelling.rawValue) in \(place)"
                found[text] = place
            }
        }
        try reader.everyValue { bytes, table, column in search(bytes, "\(table).\(column)") }
        try reader.eachWholeExchange(ExchangeFilter()) { record throws(CaptureFailure) in
            for (owner, message) in try record.messages(reader) {
                let place = "the \(owner.rawValue) of exchange \(record.id.rawValue)"
                search(message.content ?? message.body, place)
            }
            try record.eachWebSocketContent(reader) {
                search($0, "a message of exchange \(record.id.rawValue)")
            }
        }
        return found.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    }
}

extension ExchangeRecord {
    /// Returns the request and the response with their whole bodies.
    func messages(
        _ reader: CaptureReader
    ) throws(CaptureFailure) -> [(owner: BodyOwner, message: Redactor.Message)] {
        var messages: [(owner: BodyOwner, message: Redactor.Message)] = []
        for owner in [BodyOwner.request, .response] {
            guard let message = owner == .request ? request : response else { continue }
            let body = try reader.body(of: self, owner)
            let whole = Redactor.Message(head: message.head, body: body, trailers: message.trailers)
            messages.append((owner, whole))
        }
        return messages
    }

    /// Calls `use` with the decoded payload of each message of a WebSocket.
    func eachWebSocketContent(
        _ reader: CaptureReader,
        _ use: ([UInt8]) -> Void
    ) throws(CaptureFailure) {
        guard notes.contains(.webSocket) else { return }
        let transcript = WebSocketTranscript(of: self, in: reader)
        while let entry = try transcript.next() { use(entry.content) }
    }
}

extension Redactor {
    /// Collects the secrets of an exchange.
    ///
    /// - Parameters:
    ///   - record: The exchange, as the reader returned it.
    ///   - reader: The capture.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package mutating func collect(
        _ record: ExchangeRecord,
        _ reader: CaptureReader
    ) throws(CaptureFailure) {
        for (_, message) in try record.messages(reader) { collect(message) }
        if let user = record.proxyUser { collect(Secret(.user, Array(user.utf8))) }
        var contents: [[UInt8]] = []
        try record.eachWebSocketContent(reader) { contents.append($0) }
        for content in contents { collect(content, .of(HeaderFields(), content)) }
    }
}
