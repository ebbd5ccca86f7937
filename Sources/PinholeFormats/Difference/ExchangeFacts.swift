import PinholeModel
import PinholeStore

/// The parts of an exchange that are compared with those of another one: those of its request and those of its response.
///
/// Parts that are the same byte for byte in both exchanges are left out, because reading a body into its parts takes
/// longer than everything else.
struct ExchangeFacts {
    /// A recorded exchange, as the reader returned it, and its capture.
    struct Source {
        let record: ExchangeRecord
        let reader: CaptureReader
    }

    /// The parts of the request.
    private var request = MessageFacts()
    /// The parts of the response, and the messages of a WebSocket.
    private var response = MessageFacts()

    /// The number of messages of a WebSocket that are compared.
    private static let messages = 1000

    /// Returns the differences of two exchanges, with the message before the name of each part.
    ///
    /// - Parameters:
    ///   - before: The first exchange.
    ///   - after: The second exchange.
    /// - Returns: The differences.
    /// - Throws: ``CaptureFailure`` if a file cannot be read.
    static func differences(_ before: Source, _ after: Source) throws(CaptureFailure) -> [FactDifference] {
        let request = try MessagePair(before, after, .request)
        let response = try MessagePair(before, after, .response)
        let asksSame = before.record.hasSameTarget(as: after.record)
        let one = try ExchangeFacts(before, request, response, \.before, hasTarget: !asksSame)
        let other = try ExchangeFacts(after, request, response, \.after, hasTarget: !asksSame)
        return FactDifference.all(one.request, other.request).map { $0.named("request") }
            + FactDifference.all(one.response, other.response).map { $0.named("response") }
    }

    private init(
        _ source: Source,
        _ request: MessagePair,
        _ response: MessagePair,
        _ fields: KeyPath<MessagePair, HeaderFields>,
        hasTarget: Bool
    ) throws(CaptureFailure) {
        let record = source.record
        if hasTarget {
            self.request.add(target: record.path, server: record.scheme.url(of: "", at: record.authority))
        }
        try self.request.add(record.request, request[keyPath: fields], .request, of: source, request)
        guard let message = record.response, let status = record.status else {
            self.response.add("status", record.outcome?.detail.map { "none: \($0)" } ?? "none")
            return
        }
        self.response.add("status", String(status))
        try self.response.add(message, response[keyPath: fields], .response, of: source, response)
        guard record.notes.contains(.webSocket) else { return }
        let transcript = WebSocketTranscript(of: record, in: source.reader)
        var count = 0
        while count < Self.messages, let entry = try transcript.next() {
            count += 1
            let text = entry.text ?? "\(entry.content.count) bytes"
            self.response.add("message \(count)", "\(entry.message.sender.rawValue): \(text)")
        }
    }
}

extension MessageFacts {
    /// Adds the parts of a message that may differ from the other one of a pair.
    fileprivate mutating func add(
        _ message: MessageRecord,
        _ fields: HeaderFields,
        _ owner: BodyOwner,
        of source: ExchangeFacts.Source,
        _ pair: MessagePair
    ) throws(CaptureFailure) {
        add(fields, only: pair.changedFields)
        if pair.isBodySame {
            // The bodies have no differences.
        } else if message.body.isComplete, !message.body.isTruncated {
            add(body: try source.reader.body(of: source.record, owner), fields)
        } else if message.body.length > 0 {
            add(partOfBody: message.body)
        }
        if !message.trailers.isEmpty {
            add(HeaderFields(section: message.trailers), kind: "trailer")
        }
    }
}

/// Two messages, and the parts of them that are the same byte for byte.
private struct MessagePair {
    /// The fields of the first message; empty if there is none.
    let before: HeaderFields
    /// The fields of the second message; empty if there is none.
    let after: HeaderFields
    /// The names of fields, in lower case, that may differ; `nil` if all may.
    private(set) var changedFields: Set<String>?
    /// Whether the bodies are the same, and mean the same.
    private(set) var isBodySame = false

    init(
        _ before: ExchangeFacts.Source,
        _ after: ExchangeFacts.Source,
        _ owner: BodyOwner
    ) throws(CaptureFailure) {
        let (one, other) = (before.record.message(owner), after.record.message(owner))
        let (fields, others) = (one?.fields ?? HeaderFields(), other?.fields ?? HeaderFields())
        (self.before, self.after) = (fields, others)
        guard let one, let other else { return }
        changedFields = Self.changed(fields, others)
        guard one.body.length == other.body.length, one.body.isComplete == other.body.isComplete,
            one.body.capturedLength == other.body.capturedLength,
            fields.first("content-type") == others.first("content-type"),
            fields.list("content-encoding") == others.list("content-encoding")
        else { return }
        // Of a body that was captured in part, only the lengths are compared.
        guard one.body.isComplete, !one.body.isTruncated else {
            isBodySame = true
            return
        }
        isBodySame =
            try before.reader.body(of: before.record, owner) == after.reader.body(of: after.record, owner)
    }

    /// Returns the names of the lines that are not the same at the same place; `nil` if their numbers differ.
    private static func changed(_ fields: HeaderFields, _ others: HeaderFields) -> Set<String>? {
        guard fields.count == others.count else { return nil }
        var names: Set<String> = []
        for index in fields.indices where fields.line(at: index) != others.line(at: index) {
            for name in [fields.name(at: index), others.name(at: index)] {
                names.insert(String(decoding: name, as: UTF8.self).lowercased())
            }
        }
        return names
    }
}

extension ExchangeRecord {
    fileprivate func message(_ owner: BodyOwner) -> MessageRecord? {
        owner == .request ? request : status == nil ? nil : response
    }

    /// Whether two requests ask the same server for the same path and query.
    fileprivate func hasSameTarget(as other: ExchangeRecord) -> Bool {
        scheme == other.scheme && authority == other.authority && path.utf8.elementsEqual(other.path.utf8)
    }
}

extension FactDifference {
    fileprivate func named(_ message: String) -> FactDifference {
        FactDifference(name: "\(message) \(name)", before: before, after: after)
    }
}
