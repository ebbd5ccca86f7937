package import PinholeModel
package import PinholeStore

/// The parts of an exchange that are compared: those of its request and those of its response.
package struct ExchangeFacts: Sendable, Equatable {
    /// The parts of the request.
    package var request = MessageFacts()
    /// The parts of the response, and the messages of a WebSocket.
    package var response = MessageFacts()

    /// The number of messages of a WebSocket that are compared.
    private static let messages = 1000

    /// Reads the parts of a recorded exchange.
    ///
    /// - Parameters:
    ///   - record: The exchange, as the reader returned it.
    ///   - reader: The capture.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package init(_ record: ExchangeRecord, _ reader: CaptureReader) throws(CaptureFailure) {
        request.add(target: record.path, server: record.scheme.url(of: "", at: record.authority))
        try add(record.request, of: record, .request, reader)
        guard let message = record.response, let status = record.status else {
            response.add("status", record.outcome?.detail.map { "none: \($0)" } ?? "none")
            return
        }
        response.add("status", String(status))
        try add(message, of: record, .response, reader)
        guard record.notes.contains(.webSocket) else { return }
        let transcript = WebSocketTranscript(of: record, in: reader)
        var count = 0
        while count < Self.messages, let entry = try transcript.next() {
            count += 1
            let text = entry.text ?? "\(entry.content.count) bytes"
            response.add("message \(count)", "\(entry.message.sender.rawValue): \(text)")
        }
    }

    private mutating func add(
        _ message: MessageRecord,
        of record: ExchangeRecord,
        _ owner: BodyOwner,
        _ reader: CaptureReader
    ) throws(CaptureFailure) {
        var facts = owner == .request ? request : response
        facts.add(message.fields)
        if message.body.isComplete, !message.body.isTruncated {
            facts.add(body: try reader.body(of: record, owner), message.fields)
        } else if message.body.length > 0 {
            facts.add(partOfBody: message.body)
        }
        if !message.trailers.isEmpty {
            facts.add(HeaderFields(section: message.trailers), kind: "trailer")
        }
        if owner == .request { request = facts } else { response = facts }
    }

    /// Returns the differences from another exchange, with the message before the name of each part.
    package func differences(from other: ExchangeFacts) -> [FactDifference] {
        let request = FactDifference.all(other.request, request).map { $0.named("request") }
        return request + FactDifference.all(other.response, response).map { $0.named("response") }
    }
}

extension FactDifference {
    fileprivate func named(_ message: String) -> FactDifference {
        FactDifference(name: "\(message) \(name)", before: before, after: after)
    }
}
