package import PinholeModel
package import PinholeStore

/// Replaces the secrets in the records of a capture.
package final class RedactedRecords: CopyChanges {
    private let redactor: Redactor
    /// The number of bodies that could not be decoded, and were therefore left out.
    private(set) var bodiesLeftOut = 0

    /// Prepares the replacement of what `redactor` knows.
    package init(_ redactor: Redactor) { self.redactor = redactor }

    /// Returns a flow without secrets.
    package func changed(_ flow: FlowRecord) -> FlowRecord {
        var changed = flow
        changed.proxyUser = flow.proxyUser.map { redactor.tag(Secret(.user, Array($0.utf8))) }
        changed.authority = text(flow.authority)
        changed.reason = text(flow.reason)
        changed.nextHop = text(flow.nextHop)
        changed.outcome?.detail = redactor.redacted(flow.outcome?.detail ?? "")
        changed.clientHello?.serverName = text(flow.clientHello?.serverName)
        changed.clientProcess = flow.clientProcess.map { process in
            ClientProcess(pid: process.pid, name: redactor.redacted(process.name), path: text(process.path))
        }
        changed.clientHandshake = flow.clientHandshake.map(self.changed)
        changed.serverHandshake = flow.serverHandshake.map(self.changed)
        return changed
    }

    /// A client certificate names a person, so it is left out.
    private func changed(_ handshake: HandshakeRecord) -> HandshakeRecord {
        var changed = handshake
        changed.serverName = text(handshake.serverName)
        changed.clientCertificate = nil
        changed.exemption = text(handshake.exemption)
        if let detail = handshake.failure?.detail { changed.failure?.detail = redactor.redacted(detail) }
        return changed
    }

    /// Returns an exchange without secrets, whose bodies are in the record.
    package func changed(_ record: ExchangeRecord) -> ExchangeRecord {
        var changed = record
        changed.request = self.changed(record.request)
        changed.response = record.response.map(self.changed)
        changed.path = path(of: record, changed.request)
        changed.authority = authority(record.authority)
        changed.informational = record.informational.map { redactor.redacted(head: $0) }
        for column in ExchangeFields.texts { column.copy(record, to: &changed, redactor.redacted) }
        changed.proxyUser = record.proxyUser.map { redactor.tag(Secret(.user, Array($0.utf8))) }
        if let outcome = record.outcome, let detail = outcome.detail {
            changed.outcome = ExchangeOutcome(outcome.kind, redactor.redacted(detail))
        }
        changed.rules = record.rules.map { hit in
            RuleHit(rule: redactor.redacted(hit.rule), kind: hit.kind, effect: redactor.redacted(hit.effect))
        }
        return changed
    }

    /// Returns the path and query as a line of a head, because secrets of a URL are found there.
    private func path(of record: ExchangeRecord, _ request: MessageRecord) -> String {
        let line = Array("\(record.method) \(record.path) HTTP/1.1\r\n\r\n".utf8)
        let redacted = String(decoding: redactor.redacted(head: line), as: UTF8.self)
        let words = redacted.split(separator: " ", omittingEmptySubsequences: false)
        return words.count > 2 ? words[1..<words.count - 1].joined(separator: " ") : record.path
    }

    private func authority(_ authority: Authority) -> Authority {
        let text = authority.description
        let redacted = redactor.redacted(text)
        return redacted == text ? authority : (try? Authority(redacted)) ?? authority
    }

    private func text(_ text: String?) -> String? { text.map { redactor.redacted($0) } }

    private func changed(_ message: MessageRecord) -> MessageRecord {
        let original = Redactor.Message(
            head: message.head,
            body: message.body.inline,
            trailers: message.trailers
        )
        let (redacted, hasBody) = redactor.redacted(original)
        var changed = message
        changed.head = redacted.head
        changed.trailers = redacted.trailers
        guard hasBody else {
            bodiesLeftOut += 1
            changed.body.inline = []
            changed.body.capturedLength = 0
            return changed
        }
        let isWhole = !message.body.isTruncated
        changed.body.inline = redacted.body
        changed.body.capturedLength = Int64(redacted.body.count)
        changed.body.length =
            isWhole ? changed.body.capturedLength : max(message.body.length, changed.body.capturedLength)
        return changed
    }

    /// Returns a message without secrets.
    package func changed(_ entry: WebSocketTranscript.Entry) -> WebSocketMessage {
        var message = entry.message
        guard entry.trouble == nil else {
            bodiesLeftOut += 1
            message.inline = []
            message.capturedLength = 0
            return message
        }
        let form: SecretFinder.Form = message.kind == .text ? .of(HeaderFields(), entry.content) : .binary
        message.inline = redactor.redacted(entry.content, form)
        message.capturedLength = Int64(message.inline.count)
        message.length = max(message.capturedLength, message.isTruncated ? message.length : 0)
        message.isCompressed = false
        return message
    }

    /// Returns a note without secrets.
    package func changed(_ note: TrafficNote) -> TrafficNote {
        var changed = note
        changed.comment = text(note.comment)
        return changed
    }

    /// Returns a message without secrets in readable form.
    package func decoded(_ entry: WebSocketTranscript.Entry) -> WebSocketTranscript.Entry {
        let message = changed(entry)
        return WebSocketTranscript.Entry(message: message, content: message.inline, trouble: nil)
    }
}
