import PinholeFilter
package import PinholeModel

/// Writes a capture as an HTTP Archive, version 1.2.
///
/// Entries are read and written one by one. So a capture of any length needs as much memory as its longest exchange or
/// WebSocket message. Facts without a field in HAR are in fields that begin with an underscore. Failed handshakes
/// without an exchange are in `log._failedHandshakes`.
package struct HARExport: Sendable {
    private let reader: CaptureReader

    /// The number of rows that are read at once.
    private static let page = 256

    /// Creates an export from `reader`.
    package init(_ reader: CaptureReader) { self.reader = reader }

    /// Writes the exchanges that `filter` selects, oldest first.
    ///
    /// - Parameters:
    ///   - filter: The filter of exchanges; its condition selects failed handshakes, too.
    ///   - descriptor: The descriptor that is written to; it stays open.
    ///   - progress: Called after each entry with the number of entries and the number of its exchange.
    ///   - stream: Returns the JSON for `_stream` of an exchange; `nil` for no such field.
    /// - Returns: The number of entries.
    /// - Throws: ``CaptureFailure`` if reading or writing fails.
    @discardableResult
    package func write(
        _ filter: ExchangeFilter = ExchangeFilter(),
        to descriptor: Int32,
        progress: (Int, ExchangeID) -> Void = { _, _ in },
        stream: (ExchangeRecord) throws(CaptureFailure) -> String? = { _ throws(CaptureFailure) in nil }
    ) throws(CaptureFailure) -> Int {
        var output = FileOutput(descriptor)
        var json = JSONText()
        json.begin(0x7b)
        json.name("log")
        json.begin(0x7b)
        json.member("version", "1.2")
        json.name("creator")
        json.object { json in
            json.member("name", "Pinhole")
            json.member("version", "1")
        }
        json.name("entries")
        json.begin(0x5b)
        let count = try writeEntries(filter, &json, to: &output, progress, stream: stream)
        json.end(0x5d)
        json.name("_failedHandshakes")
        json.begin(0x5b)
        try writeFailedHandshakes(filter, &json, to: &output)
        json.end(0x5d)
        json.end(0x7d)
        json.end(0x7d)
        try output.append(json.take())
        try output.append([0x0a])
        try output.flush()
        return count
    }

    /// Returns the entry of one exchange, as JSON.
    ///
    /// - Parameters:
    ///   - record: The exchange, as the reader returned it.
    ///   - flows: A memory for the flows, shared between entries.
    /// - Returns: The object.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func entry(
        _ record: ExchangeRecord,
        _ flows: FlowMemory
    ) throws(CaptureFailure) -> String {
        var json = JSONText()
        json.begin(0x7b)
        try made(record, flows).writeMembers(to: &json)
        if record.notes.contains(.webSocket) {
            json.name("_webSocketMessages")
            json.begin(0x5b)
            try eachMessage(of: record) { message throws(CaptureFailure) in message.write(to: &json) }
            json.end(0x5d)
        }
        json.end(0x7d)
        return String(decoding: json.take(), as: UTF8.self)
    }

    private func writeEntries(
        _ filter: ExchangeFilter,
        _ json: inout JSONText,
        to output: inout FileOutput,
        _ progress: (Int, ExchangeID) -> Void,
        stream: (ExchangeRecord) throws(CaptureFailure) -> String?
    ) throws(CaptureFailure) -> Int {
        var filter = filter
        let flows = FlowMemory()
        var count = 0
        while true {
            let summaries = try reader.exchanges(filter, order: .oldestFirst, limit: Self.page)
            for summary in summaries {
                filter.after = summary.id
                // Retention may have removed the exchange since.
                guard let record = try reader.exchange(summary.id) else { continue }
                let entry = try made(record, flows)
                json.begin(0x7b)
                entry.writeMembers(to: &json)
                try writeMessages(of: entry.record, &json, to: &output)
                if let stream = try stream(entry.record) {
                    json.member("_stream", json: Array(stream.utf8)[...])
                }
                json.end(0x7d)
                try output.append(json.take())
                count += 1
                progress(count, summary.id)
            }
            guard summaries.count == Self.page else { return count }
        }
    }

    private func made(
        _ record: ExchangeRecord,
        _ flows: FlowMemory
    ) throws(CaptureFailure) -> HAREntry {
        HAREntry(
            record: record,
            requestBody: try reader.body(of: record, .request),
            responseBody: try reader.body(of: record, .response),
            flow: try flows.flow(record.flow, reader),
            note: try reader.note(record.id.rawValue)
        )
    }

    /// Writes the messages one by one, because a WebSocket may have any number of them.
    private func writeMessages(
        of record: ExchangeRecord,
        _ json: inout JSONText,
        to output: inout FileOutput
    ) throws(CaptureFailure) {
        guard record.notes.contains(.webSocket) else { return }
        json.name("_webSocketMessages")
        json.begin(0x5b)
        try eachMessage(of: record) { message throws(CaptureFailure) in
            message.write(to: &json)
            try output.append(json.take())
        }
        json.end(0x5d)
    }

    private func eachMessage(
        of record: ExchangeRecord,
        _ use: (HARWebSocketMessage) throws(CaptureFailure) -> Void
    ) throws(CaptureFailure) {
        let transcript = WebSocketTranscript(of: record, in: reader)
        while let entry = try transcript.next() {
            // A piece that could not be read is not a message.
            if entry.message.kind != .unread { try use(HARWebSocketMessage(entry: entry)) }
        }
    }

    private func writeFailedHandshakes(
        _ filter: ExchangeFilter,
        _ json: inout JSONText,
        to output: inout FileOutput
    ) throws(CaptureFailure) {
        var failed = FlowFilter(Filter(.flag(.tlsFailed)).and(filter.condition))
        while true {
            let flows = try reader.flows(failed, order: .oldestFirst, limit: Self.page)
            for flow in flows {
                failed.after = flow.id
                guard flow.exchanges == 0 else { continue }
                for handshake in [flow.clientHandshake, flow.serverHandshake].compactMap(\.self) {
                    HARHandshake(flow: flow, handshake: handshake)?.write(to: &json)
                }
                try output.append(json.take())
            }
            guard flows.count == Self.page else { return }
        }
    }
}
