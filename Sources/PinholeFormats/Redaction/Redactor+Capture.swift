package import PinholeModel
package import PinholeStore

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
    /// Searches every value of the copy, and every body of it in decoded form, and returns what was found where.
    func leftovers(_ reader: CaptureReader) throws(CaptureFailure) -> [String] {
        var found: [String: String] = [:]
        @Sendable func search(_ bytes: [UInt8], _ place: String, _ found: inout [String: String]) {
            for occurrence in occurrences(in: bytes) {
                let text = "\(tag(occurrence.secret)) as \(occurrence.spelling.rawValue) in \(place)"
                found[text] = place
            }
        }
        try reader.everyValue { bytes, table, column in search(bytes, "\(table).\(column)", &found) }
        let lanes = try CaptureLanes(reader) {}
        try reader.eachWholeExchange(ExchangeFilter(), on: lanes) {
            (record, reader, _) throws(CaptureFailure) in
            var places: [String: String] = [:]
            for (owner, message) in try record.messages(reader) {
                let place = "the \(owner.rawValue) of exchange \(record.id.rawValue)"
                search(message.content ?? message.body, place, &places)
            }
            try record.eachWebSocketContent(reader) {
                search($0, "a message of exchange \(record.id.rawValue)", &places)
            }
            return places
        } _: {
            found.merge($0) { first, _ in first }
        }
        return found.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    }

    /// Collects the secrets of all exchanges that a filter selects.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - reader: The capture.
    ///   - use: Called with the number of each exchange.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    mutating func collect(
        _ filter: ExchangeFilter,
        _ reader: CaptureReader,
        _ use: (ExchangeID) -> Void = { _ in }
    ) throws(CaptureFailure) {
        let lanes = try CaptureLanes(reader) { [self] in self }
        try reader.eachWholeExchange(filter, on: lanes) { (record, reader, redactor) throws(CaptureFailure) in
            try redactor.collect(record, reader)
            return record.id
        } _: {
            use($0)
        }
        for lane in lanes.memories { collect(lane.collected) }
    }

    /// Collects the secrets of an exchange, whose bodies are read from the capture.
    ///
    /// - Parameters:
    ///   - record: The exchange.
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
