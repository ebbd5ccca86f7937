import PinholeFilter
import PinholeModel
package import PinholeStore

/// An exchange or a flow in the console's list: a line of `flows list --json` with the list's additional members.
package struct TrafficItemJSON: Encodable, Sendable {
    private enum CodingKeys: CodingKey {
        case `protocol`, contentType, typeWord, isMarked, comment
        case timings, referer, destination, serverTiming
    }

    private let row: TrafficRow
    private let showsTimings: Bool

    /// Takes the facts of a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - showsTimings: Whether the members for timelines are written: the stages, and what caused the request.
    package init(_ row: TrafficRow, showsTimings: Bool = false) {
        self.row = row
        self.showsTimings = showsTimings
    }

    /// Writes the members of the line and of the list into one object.
    package func encode(to encoder: any Encoder) throws {
        switch row.kind {
        case .exchange(let exchange):
            try ExchangeJSON(exchange, isListed: true).encode(to: encoder)
            if let flow = row.connection {
                var container = encoder.container(keyedBy: MemberName.self)
                for field in FlowFields.joined { try field.encode(flow, to: &container) }
            }
        case .flow(let record): try FlowJSON(record, isListed: true).encode(to: encoder)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(version, forKey: .protocol)
        try container.encodeIfPresent(row.contentType, forKey: .contentType)
        try container.encodeIfPresent(row.contentType.map(TypeWord.shown), forKey: .typeWord)
        try container.encode(row.note.isMarked, forKey: .isMarked)
        try container.encodeIfPresent(row.note.comment, forKey: .comment)
        if showsTimings, case .exchange(let exchange) = row.kind {
            try container.encode(exchange.timings.milliseconds(row.connection), forKey: .timings)
            try encodeCause(to: &container)
        }
    }

    /// Writes the fields of the heads that tell why the request was sent, and what the server says of its own time.
    private func encodeCause(to container: inout KeyedEncodingContainer<CodingKeys>) throws {
        let request = MessageRecord(head: row.requestHead).fields
        try container.encodeIfPresent(request.first("referer"), forKey: .referer)
        try container.encodeIfPresent(Self.destination(request), forKey: .destination)
        let said = MessageRecord(head: row.responseHead).fields.all("server-timing").joined(separator: ", ")
        try container.encodeIfPresent(said.isEmpty ? nil : said, forKey: .serverTiming)
    }

    /// Returns the destination of a request (Fetch, §3.2.7); `document` if only Accept tells of a navigation.
    ///
    /// Browsers send Sec-Fetch-Dest only to servers that they trust: with TLS, or on this machine.
    private static func destination(_ request: HeaderFields) -> String? {
        if let destination = request.first("sec-fetch-dest") { return destination }
        let accepted = request.first("accept") ?? ""
        return accepted.hasPrefix("text/html,application/xhtml+xml") ? "document" : nil
    }

    /// `ws`, `h2` or `h1`; `nil` for a flow.
    private var version: String? {
        guard case .exchange(let exchange) = row.kind else { return nil }
        if exchange.notes.contains(.webSocket) { return "ws" }
        return row.version.map { $0.hasPrefix("HTTP/2") ? "h2" : "h1" }
    }
}
