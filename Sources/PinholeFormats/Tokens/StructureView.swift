import PinholeLock
package import PinholeModel
package import PinholeStore

/// Shows records with tokens in place of their values, one at a time, for a reader who may see structure alone.
///
/// Equal values have equal tokens as long as this object lives. A name is shown once two messages had it.
package final class StructureView: Sendable {
    private let hosts: Lock<Set<String>>
    private let records: Lock<StructureRecords>

    /// Creates a view that has seen nothing.
    ///
    /// - Parameter options: The choices of the user.
    package init(_ options: StructureRedaction.Options) {
        let hosts = Lock<Set<String>>([])
        self.hosts = hosts
        records = Lock(
            StructureRecords(ValueRedactor(options) { host in hosts.withLock { $0.contains(host) } })
        )
    }

    /// Returns an exchange whose bodies are in its record.
    package func changed(_ record: ExchangeRecord) -> ExchangeRecord {
        hosts.withLock { _ = $0.insert(record.authority.host.description) }
        return records.withLock { $0.changed(record) }
    }

    /// Returns a flow.
    package func changed(_ flow: FlowRecord) -> FlowRecord { records.withLock { $0.changed(flow) } }

    /// Returns a note.
    package func changed(_ note: TrafficNote) -> TrafficNote { records.withLock { $0.changed(note) } }

    /// Returns a message in readable form.
    package func decoded(_ entry: WebSocketTranscript.Entry) -> WebSocketTranscript.Entry {
        let message = records.withLock { $0.changed(entry) }
        return WebSocketTranscript.Entry(message: message, content: message.inline, trouble: nil)
    }

    /// Returns the lines of JSON that a command of this program printed.
    ///
    /// - Parameter lines: The lines, whose members have names of this program.
    /// - Returns: The lines; one that is neither JSON nor an exit code is a token.
    package func changed(lines: String) -> String {
        lines.split(separator: "\n").map { line in
            if line.hasPrefix("exit code ") { return String(line) }
            let text = Array(line.utf8)
            return String(decoding: records.withLock { $0.line(text) }, as: UTF8.self)
        }.joined(separator: "\n")
    }
}

extension ExchangeRecord {
    /// Returns the record with the lengths of the bodies of another one, in which the bodies themselves are missing.
    package func withLengths(of other: ExchangeRecord) -> ExchangeRecord {
        var record = self
        record.request.body.length = other.request.body.length
        record.request.body.capturedLength = other.request.body.capturedLength
        if let body = other.response?.body {
            record.response?.body.length = body.length
            record.response?.body.capturedLength = body.capturedLength
        }
        return record
    }
}

extension StructureRecords {
    /// Returns a line of JSON whose names stay if they have identifier form.
    fileprivate func line(_ text: [UInt8]) -> [UInt8] {
        var clean: [UInt8] = []
        // A name stays once two messages had it.
        for _ in 0..<3 { clean = wholeMessage(text) }
        return clean
    }
}
