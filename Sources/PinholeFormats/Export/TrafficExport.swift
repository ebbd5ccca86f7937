package import PinholeModel
package import PinholeStore

/// Writes the exchanges and flows that a filter selects, in one of several formats.
package struct TrafficExport: Sendable {
    /// A format that the console exports traffic in.
    package enum Format: String, CaseIterable, Sendable {
        /// HTTP Archive 1.2.
        case har
        /// JSON lines with the members of the list for each exchange, and the entry of a HAR in `entry`.
        case jsonl
        /// A flow file of mitmproxy.
        case mitm
        /// Commands for sh.
        case curl
        /// The bytes of each request and response.
        case raw
        /// Packets for Wireshark (pcapng), with the secrets that decrypt them.
        case pcapng
        /// CSV (RFC 4180) with a line for each exchange or flow, without heads and bodies.
        case csv

        /// The media type.
        package var type: String {
            switch self {
            case .har: "application/json"
            case .curl: "text/x-shellscript; charset=utf-8"
            case .raw, .mitm, .pcapng: "application/octet-stream"
            case .jsonl: "application/jsonl"
            case .csv: "text/csv; charset=utf-8"
            }
        }

        /// The ending of a file's name.
        package var ending: String {
            switch self {
            case .har, .jsonl, .csv, .mitm, .pcapng: rawValue
            case .curl: "sh"
            case .raw: "http"
            }
        }
    }

    /// The number of entries that were written.
    package struct Count: Sendable, Equatable {
        /// The number of exchanges.
        package var exchanges = 0
        /// The number of flows without exchanges.
        package var flows = 0

        fileprivate mutating func add(_ row: TrafficRow) {
            if case .exchange = row.kind { exchanges += 1 } else { flows += 1 }
        }
    }

    /// The number of rows that are read at once.
    private static let page = 200

    private let format: Format
    private let filter: TrafficFilter
    private let ids: [Int64]?
    private let part: BodyOwner?
    /// The way in which a redacted copy is made, which is written; `nil` to write everything as it was captured.
    package var redaction: Redaction?

    /// Prepares an export.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - filter: The filter that selects exchanges and flows.
    ///   - ids: The only numbers that are written; `nil` for all.
    ///   - part: Of raw messages, the requests or the responses; `nil` for both.
    package init(format: Format, filter: TrafficFilter, ids: [Int64]? = nil, part: BodyOwner? = nil) {
        self.format = format
        self.filter = filter
        self.ids = ids
        self.part = part
    }

    /// Writes the export.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor that is written to; it stays open.
    ///   - reader: The capture.
    ///   - progress: Called now and then with the count so far and the highest number that was written.
    ///   - stream: Returns the JSON for the streams of an exchange in a HAR; see ``HARExport``.
    /// - Returns: The number of entries.
    /// - Throws: ``CaptureFailure`` when reading or writing fails.
    @discardableResult
    package func write(
        to descriptor: Int32,
        from reader: CaptureReader,
        progress: (Count, Int64) -> Void = { _, _ in },
        stream: (ExchangeRecord) throws(CaptureFailure) -> String? = { _ throws(CaptureFailure) in nil }
    ) throws(CaptureFailure) -> Count {
        if let redaction {
            let copy = try RedactedCopy(of: reader, filter, ids: ids, redaction)
            guard let reader = copy.reader else { return Count() }
            let whole = TrafficExport(format: format, filter: TrafficFilter(), part: part)
            return try whole.write(to: descriptor, from: reader, progress: progress, stream: stream)
        }
        var exchanges = filter.exchanges
        exchanges.among = ids.map { $0.map(ExchangeID.init(rawValue:)) } ?? exchanges.among
        if format == .har {
            let written = try HARExport(reader).write(
                exchanges,
                to: descriptor,
                progress: { progress(Count(exchanges: $0), $1.rawValue) },
                stream: stream
            )
            return Count(exchanges: written)
        }
        if format == .pcapng {
            let written = try PacketExport(reader).write(exchanges, to: descriptor) {
                progress(Count(exchanges: $0), $1)
            }
            return Count(exchanges: written)
        }
        var count = Count()
        var output = FileOutput(descriptor)
        let flows = FlowMemory()
        if format == .csv { try output.append(Array((CSVText.line(TrafficColumns.names) + "\r\n").utf8)) }
        if let ids {
            for row in try reader.traffic(ids: ids)
            where try write(row, to: &output, descriptor, reader, flows) {
                count.add(row)
            }
        } else {
            var last: Int64 = 0
            while true {
                let rows = try reader.traffic(filter, after: last, order: .oldestFirst, limit: Self.page)
                for row in rows where try write(row, to: &output, descriptor, reader, flows) {
                    count.add(row)
                    progress(count, row.id)
                }
                guard rows.count == Self.page, let end = rows.last?.id else { break }
                last = end
            }
        }
        try output.flush()
        return count
    }

    private func write(
        _ row: TrafficRow,
        to output: inout FileOutput,
        _ descriptor: Int32,
        _ reader: CaptureReader,
        _ flows: FlowMemory
    ) throws(CaptureFailure) -> Bool {
        if format == .csv {
            try output.append(Array((CSVText.line(TrafficColumns.values(of: row)) + "\r\n").utf8))
            return true
        }
        var record: ExchangeRecord?
        if case .exchange = row.kind { record = try reader.exchange(ExchangeID(rawValue: row.id)) }
        if format == .jsonl {
            try output.append(Array(try line(row, record, reader, flows).utf8))
            return true
        }
        // A flow has no messages, so it cannot be sent again.
        guard let record else { return false }
        switch format {
        case .curl where record.notes.contains(.webSocket) || record.notes.contains(.upgraded):
            // curl would wait until the server ends the connection, and so would the commands after it.
            let what = record.notes.contains(.webSocket) ? "a WebSocket" : "a switch of protocols"
            let line =
                "# left out: exchange \(record.id.rawValue) with \(record.authority) is \(what), for which curl waits for ever\n"
            try output.append(Array(line.utf8))
        case .curl:
            let command = CurlCommand(record, body: try reader.body(of: record, .request))
            try output.append(Array((command.text + "\n").utf8))
        case .mitm: try MitmproxyExport(reader).write(record, row.note, to: &output)
        case .raw, .har, .jsonl, .pcapng, .csv:
            try output.flush()
            let export = RawExport(reader)
            if part != .response { try export.write(record, .request, to: descriptor) }
            if part != .request { try export.write(record, .response, to: descriptor) }
        }
        return true
    }

    private func line(
        _ row: TrafficRow,
        _ record: ExchangeRecord?,
        _ reader: CaptureReader,
        _ flows: FlowMemory
    ) throws(CaptureFailure) -> String {
        let item = JSONLine.text(TrafficItemJSON(row))
        guard let record else { return item + "\n" }
        return "\(item.dropLast()),\"entry\":\(try HARExport(reader).entry(record, flows))}\n"
    }
}
