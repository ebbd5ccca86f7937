import Glibc
package import PinholeModel
package import PinholeStore

/// Copies a capture without the secrets that ``Redactor`` recognises, for `--known-only`.
///
/// The copy is searched for them again. That proves nothing about secrets that no list knows.
package struct CaptureRedaction {
    /// The reason why no copy was made.
    package enum Failure: Error, CustomStringConvertible {
        /// The capture could not be read, or the copy could not be written.
        case capture(CaptureFailure)
        /// Secrets were still in the copy, which was deleted.
        case left([Leftover])

        /// The failure as one of the capture.
        package var ofCapture: CaptureFailure {
            switch self {
            case .capture(let failure): failure
            case .left: .output(description)
            }
        }

        /// The reason in words.
        package var description: String {
            switch self {
            case .capture(let failure): return failure.description
            case .left(let places):
                let shown = places.prefix(5).map { "\($0.tag) as \($0.spelling.rawValue) in \($0.place)" }
                let more = places.count > 5 ? ", and \(places.count - 5) more" : ""
                return "secrets would be left, so nothing was written: " + shown.joined(separator: "; ")
                    + more
            }
        }
    }

    /// A secret that was found in the copy.
    package struct Leftover: Hashable, Sendable {
        /// The tag that stands for the secret.
        package let tag: String
        /// The way in which it is written.
        package let spelling: Spelling
        /// The table and the column, or the part of an exchange.
        package let place: String
    }

    /// The result of a redaction.
    package struct Summary: Sendable, Equatable {
        /// The number of exchanges and of flows without exchanges.
        package var entries = 0
        /// The number of different secrets of each kind.
        package var secrets: [Secret.Kind: Int] = [:]
        /// The number of secrets that are too common to be searched for, and were only replaced in their places.
        package var common = 0
        /// The number of bodies that could not be decoded, and were therefore left out.
        package var bodiesLeftOut = 0
    }

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
    /// - Throws: ``Failure``.
    package mutating func write(
        _ source: String,
        to target: String,
        now: Timestamp
    ) throws(Failure) -> Summary {
        let draft = "\(target).\(getpid()).draft"
        defer { for ending in ["", "-wal", "-shm"] { unlink(draft + ending) } }
        let summary: Summary
        let left: [Leftover]
        do throws(CaptureFailure) {
            guard access(target, F_OK) != 0 else { throw .output("\(target) exists; name another file") }
            try collect(CaptureReader(path: source))
            (summary, left) = try copy(source, to: draft, now: now)
            if left.isEmpty, summary.entries > 0, rename(draft, target) != 0 {
                throw .system(path: target, String(cString: strerror(errno)))
            }
        } catch {
            throw .capture(error)
        }
        guard left.isEmpty else { throw .left(left) }
        return summary
    }

    private mutating func copy(
        _ source: String,
        to draft: String,
        now: Timestamp
    ) throws(CaptureFailure) -> (Summary, [Leftover]) {
        redactor.prepare()
        let records = RedactedRecords(redactor)
        let copy = CaptureCopy(into: draft, now: now)
        copy.changes = records
        var summary = Summary()
        summary.entries = try copy.add(source, filter)
        try copy.finish()
        guard summary.entries > 0 else { return (summary, []) }
        for secret in redactor.collected { summary.secrets[secret.kind, default: 0] += 1 }
        summary.common = redactor.collected.count - redactor.searched.count
        summary.bodiesLeftOut = records.bodiesLeftOut
        return (summary, try leftovers(CaptureReader(path: draft)))
    }

    private mutating func collect(_ reader: CaptureReader) throws(CaptureFailure) {
        try reader.eachWholeExchange(filter.exchanges) { record throws(CaptureFailure) in
            try redactor.collect(record, reader)
        }
    }

    /// Searches every value of the copy, and every body of it in decoded form.
    private func leftovers(_ reader: CaptureReader) throws(CaptureFailure) -> [Leftover] {
        var found: Set<Leftover> = []
        let search = { (bytes: [UInt8], place: String) in
            for occurrence in redactor.occurrences(in: bytes) {
                let tag = redactor.tag(occurrence.secret)
                found.insert(Leftover(tag: tag, spelling: occurrence.spelling, place: place))
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
        return found.sorted { ($0.place, $0.tag) < ($1.place, $1.tag) }
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
