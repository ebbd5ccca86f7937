import PinholeFormats
import PinholeModel
import PinholeSession

/// The cells of an exchange or a flow in a list.
struct TrafficCells {
    let number: String
    let time: String
    let method: String
    let status: String
    let colour: Style.Colour
    /// The server, without the port if that is the usual one.
    let host: String
    /// The path, or the reason why there is no exchange.
    let path: String
    let size: String
    let duration: String
    let url: String
    let detail: String
    let isFlow: Bool

    /// The URL and the remark on it.
    var texts: [String] { [url, detail].filter { !$0.isEmpty } }

    /// Creates the cells of an exchange or a flow.
    ///
    /// - Parameters:
    ///   - event: The exchange or flow.
    ///   - now: The current time; another day is then named with its date.
    init(_ event: TrafficEvent, at now: Timestamp) {
        switch event {
        case .exchange(let record): self.init(record, at: now)
        case .flow(let record): self.init(record, at: now)
        }
    }

    private init(_ record: ExchangeRecord, at now: Timestamp) {
        number = "\(record.id.rawValue)"
        time = Plain.time(record.timings.started, at: now)
        method = Plain.printable(record.method)
        status = record.statusWord
        colour = Style.colour(of: record)
        host = record.authority.text(defaultPort: record.scheme.defaultPort)
        path = Plain.printable(record.path)
        size = Plain.size(record.response?.body.length ?? 0)
        duration = record.timings.ended.map { Plain.duration($0 - record.timings.started) } ?? "…"
        url = Plain.printable(record.url)
        let remarks = [
            record.operation, record.webSocketSummary, record.ruleSummary, record.trouble, record.hint,
        ]
        detail = Plain.printable(remarks.compactMap(\.self).joined(separator: "  "))
        isFlow = false
    }

    private init(_ record: FlowRecord, at now: Timestamp) {
        number = "\(record.id.rawValue)"
        time = Plain.time(record.opened, at: now)
        method = record.methodWord
        status = Standing.listWord(record.standing)
        colour = Style.colour(of: record)
        let authority = record.authority.flatMap { try? Authority($0) }
        host = authority?.text(defaultPort: 443) ?? Plain.printable(record.authority ?? "")
        size = Plain.size(record.bytesFromServer)
        duration = record.closed.map { Plain.duration($0 - record.opened) } ?? "…"
        url = Plain.printable(record.authority ?? "from \(record.client)")
        detail = Plain.printable(record.remark)
        path = record.failedHandshake?.failure.map { Plain.printable($0.detail) } ?? detail
        isFlow = true
    }
}
