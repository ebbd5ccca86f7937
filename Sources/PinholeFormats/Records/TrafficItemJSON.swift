import PinholeFilter
import PinholeModel
package import PinholeStore

/// An exchange or a flow in the console's list: a line of `flows list --json` with the list's additional members.
package struct TrafficItemJSON: Encodable, Sendable {
    private enum CodingKeys: CodingKey {
        case `protocol`, contentType, typeWord, isMarked, comment
    }

    private let row: TrafficRow

    /// Takes the facts of a row.
    package init(_ row: TrafficRow) { self.row = row }

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
    }

    /// `ws`, `h2` or `h1`; `nil` for a flow.
    private var version: String? {
        guard case .exchange(let exchange) = row.kind else { return nil }
        if exchange.notes.contains(.webSocket) { return "ws" }
        return row.version.map { $0.hasPrefix("HTTP/2") ? "h2" : "h1" }
    }
}
