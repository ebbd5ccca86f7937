import Foundation
package import PinholeModel
import PinholeRuntime
package import PinholeStore

/// Writes the exchanges and flows that a filter selects, in one of several formats.
package struct TrafficExport: Sendable {
    /// A format.
    package enum Format: String, CaseIterable, Sendable {
        /// HTTP Archive 1.2.
        case har
        /// JSON lines: of each exchange the members of the list, and in `entry` the entry of a HAR.
        case jsonl
        /// A flow file of mitmproxy.
        case mitm
        /// Commands for sh.
        case curl
        /// The bytes of each request and response.
        case raw
        /// A line of RFC 4180 for each, without heads and bodies.
        case csv

        /// The media type.
        var type: String {
            switch self {
            case .har: "application/json"
            case .curl: "text/x-shellscript; charset=utf-8"
            case .raw, .mitm: "application/octet-stream"
            case .jsonl: "application/jsonl"
            case .csv: "text/csv; charset=utf-8"
            }
        }

        /// The ending of a file's name.
        var ending: String {
            switch self {
            case .har, .jsonl, .csv, .mitm: rawValue
            case .curl: "sh"
            case .raw: "http"
            }
        }
    }

    /// The number of entries that were written.
    package struct Count: Sendable, Equatable {
        /// Exchanges.
        package var exchanges = 0
        /// Flows that have none.
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
        if format == .har {
            var exchanges = filter.exchanges
            exchanges.among = ids.map { $0.map(ExchangeID.init(rawValue:)) } ?? exchanges.among
            let written = try HARExport(reader).write(
                exchanges,
                to: descriptor,
                progress: { progress(Count(exchanges: $0), $1.rawValue) },
                stream: stream
            )
            return Count(exchanges: written)
        }
        var count = Count()
        var output = FileOutput(descriptor)
        let flows = FlowMemory()
        if format == .csv { try output.append(Array((CSVText.line(Self.columns) + "\r\n").utf8)) }
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
            try output.append(Array((CSVText.line(Self.values(row)) + "\r\n").utf8))
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
            // curl would wait for an end that only the server decides about, and the commands after it with it.
            let what = record.notes.contains(.webSocket) ? "a WebSocket" : "a switch of protocols"
            let line =
                "# left out: exchange \(record.id.rawValue) with \(record.authority) is \(what), for which curl waits for ever\n"
            try output.append(Array(line.utf8))
        case .curl:
            let command = CurlCommand(record, body: try reader.body(of: record, .request))
            try output.append(Array((command.text + "\n").utf8))
        case .mitm: try MitmproxyExport(reader).write(record, row.note, to: &output)
        case .raw, .har, .jsonl, .csv:
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

    private static let columns = [
        "id", "type", "started", "method", "url", "status", "requestBytes", "responseBytes", "milliseconds",
        "outcome", "contentType", "comment", "clientProcess", "proxyUser",
    ]

    private static func values(_ row: TrafficRow) -> [String] {
        let last = [
            row.contentType ?? "", row.note.comment ?? "", row.process?.name ?? "", row.proxyUser ?? "",
        ]
        switch row.kind {
        case .exchange(let summary):
            let time = summary.timings.ended.map {
                "\(Double(($0 - summary.timings.started).microseconds) / 1000)"
            }
            return [
                "\(row.id)", "exchange", summary.timings.started.iso8601Milliseconds, summary.method,
                summary.url,
                summary.status.map(String.init) ?? "", "\(summary.requestBody.length)",
                "\(summary.responseBody?.length ?? 0)", time ?? "", summary.outcome?.kind.rawValue ?? "",
            ] + last
        case .flow(let record):
            let time = record.closed.map { "\(Double(($0 - record.opened).microseconds) / 1000)" }
            return [
                "\(row.id)", "flow", record.opened.iso8601Milliseconds, "CONNECT", record.authority ?? "", "",
                "\(record.bytesFromClient)", "\(record.bytesFromServer)", time ?? "",
                record.outcome?.kind.rawValue ?? "",
            ] + last
        }
    }
}

extension ConsoleCall {
    func export() throws -> ConsoleAnswer {
        let text = request.value("format") ?? ""
        if text == "capture" { return try saveCapture() }
        guard let format = TrafficExport.Format(rawValue: text) else {
            let names = TrafficExport.Format.allCases.map(\.rawValue) + ["capture"]
            throw Problem.bad("format", expected: names.joined(separator: ", "), found: text)
        }
        let export = TrafficExport(format: format, filter: try filter(), ids: try ids())
        let path = api.subject.capture
        return try download(format.type, ending: format.ending) { descriptor, isCancelled in
            try export.write(to: descriptor, from: try CaptureReader(path: path).until(isCancelled))
        }
    }

    /// The selected exchanges and flows as a capture of their own, with everything that the capture has of them.
    private func saveCapture() throws -> ConsoleAnswer {
        var filter = try filter()
        if let ids = try ids() {
            filter.exchanges.among = ids.map(ExchangeID.init(rawValue:))
            filter.flows?.among = ids.map(FlowID.init(rawValue:))
        }
        let (path, now) = (api.subject.capture, api.clock.now())
        return try download("application/vnd.sqlite3", ending: "sqlite") { [filter] descriptor, isCancelled in
            try SavedCapture(of: path, filter, now: now, isCancelled: isCancelled).write(to: descriptor)
        }
    }

    private func download(
        _ type: String,
        ending: String,
        _ write: @escaping @Sendable (Int32, _ isCancelled: @escaping @Sendable () -> Bool) throws -> Void
    ) throws(Problem) -> ConsoleAnswer {
        guard api.exports.take() else {
            throw Problem(
                503,
                "busy",
                "\(api.limits.exports) exports run already",
                remedy: "wait for one of them"
            )
        }
        return ConsoleAnswer(
            200,
            fields: [
                ("Content-Type", type),
                ("Content-Disposition", "attachment; filename=\"pinhole.\(ending)\""),
                ("Content-Security-Policy", "sandbox; default-src 'none'"),
            ],
            body: .source(ExportSource(api.exports, write), length: nil)
        )
    }
}
