import PinholeFormats
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeStore

/// Requests that download a part of the capture.
extension ConsoleCall {
    func export() async throws -> ConsoleAnswer {
        let text = request.value("format") ?? ""
        if text == "capture" { return try await saveCapture() }
        guard let format = TrafficExport.Format(rawValue: text) else {
            let names = TrafficExport.Format.allCases.map(\.rawValue) + ["capture"]
            throw Problem.bad("format", expected: names.joined(separator: ", "), found: text)
        }
        var export = TrafficExport(format: format, filter: try filter(), ids: try ids())
        export.redaction = try redaction()
        let path = api.subject.capture
        return try await download(format.type, ending: format.ending) { [export] descriptor, isCancelled in
            try export.write(to: descriptor, from: try CaptureReader(path: path).until(isCancelled))
        }
    }

    /// Saves the selected exchanges and flows, with everything that the capture has of them, as a new capture.
    private func saveCapture() async throws -> ConsoleAnswer {
        var filter = try filter()
        if let ids = try ids() {
            filter.exchanges.among = ids.map(ExchangeID.init(rawValue:))
            filter.flows?.among = ids.map(FlowID.init(rawValue:))
        }
        let (path, now, redaction) = (api.subject.capture, api.clock.now(), try redaction())
        return try await download("application/vnd.sqlite3", ending: "sqlite") {
            [filter] descriptor, isCancelled in
            try SavedCapture(of: path, filter, redaction, now: now, isCancelled: isCancelled).write(
                to: descriptor
            )
        }
    }

    /// Returns the redaction that the query asks for; `nil` if it asks for none.
    private func redaction() throws(Problem) -> Redaction? {
        try flag("redact") ? .structure(StructureRedaction.Options()) : nil
    }

    private func download(
        _ type: String,
        ending: String,
        _ write: @escaping @Sendable (Int32, _ isCancelled: @escaping @Sendable () -> Bool) throws -> Void
    ) async throws -> ConsoleAnswer {
        guard api.exports.take() else {
            throw Problem(
                503,
                "busy",
                "\(api.limits.exports) exports run already",
                remedy: "wait for one of them"
            )
        }
        let abandonment = request.abandonment
        let source = ExportSource(api.exports) { descriptor, isCancelled in
            try write(descriptor) { isCancelled() || abandonment.isAbandoned }
        }
        try await source.begin()
        return ConsoleAnswer(
            200,
            fields: [
                ("Content-Type", type),
                ("Content-Disposition", "attachment; filename=\"pinhole.\(ending)\""),
                ("Content-Security-Policy", "sandbox; default-src 'none'"),
            ],
            body: .source(source, length: nil)
        )
    }
}
