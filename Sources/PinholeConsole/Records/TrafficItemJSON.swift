import PinholeFilter
import PinholeModel
package import PinholeStore

/// An exchange or a flow in the console's list: a line of `flows list --json`, and what the list shows beside.
package struct TrafficItemJSON: Encodable, Sendable {
    private enum CodingKeys: CodingKey {
        case host, port, path, scheme, `protocol`, contentType, typeWord, client, clientProcess, isMarked,
            comment
    }

    private let row: TrafficRow

    /// Takes the facts of a row.
    package init(_ row: TrafficRow) { self.row = row }

    /// Writes the keys of both into one object.
    package func encode(to encoder: any Encoder) throws {
        switch row.kind {
        case .exchange(let summary): try ExchangeJSON(ExchangeRecord(summary)).encode(to: encoder)
        case .flow(let record): try FlowJSON(record).encode(to: encoder)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(authority?.host.description, forKey: .host)
        try container.encodeIfPresent(authority?.port, forKey: .port)
        if case .exchange(let summary) = row.kind {
            try container.encode(summary.path, forKey: .path)
            try container.encode(summary.scheme.rawValue, forKey: .scheme)
            try container.encodeIfPresent(version(of: summary), forKey: .protocol)
            try container.encodeIfPresent(row.client, forKey: .client)
            try container.encodeIfPresent(row.process, forKey: .clientProcess)
        } else {
            try container.encode("", forKey: .path)
        }
        try container.encodeIfPresent(row.contentType, forKey: .contentType)
        try container.encodeIfPresent(row.contentType.map(TypeWord.shown), forKey: .typeWord)
        try container.encode(row.note.isMarked, forKey: .isMarked)
        try container.encodeIfPresent(row.note.comment, forKey: .comment)
    }

    private var authority: Authority? {
        switch row.kind {
        case .exchange(let summary): summary.authority
        case .flow(let record): record.authority.flatMap { try? Authority($0, defaultPort: 443) }
        }
    }

    /// `ws`, `h2` or `h1`.
    private func version(of summary: ExchangeSummary) -> String? {
        if summary.notes.contains(.webSocket) { return "ws" }
        return row.version.map { $0.hasPrefix("HTTP/2") ? "h2" : "h1" }
    }
}

/// Several of them.
struct TrafficPageJSON: Encodable {
    let items: [TrafficItemJSON]
    let more: Bool?
}
