import PinholeModel
package import PinholeStore

/// An exchange or a flow in the console's list: a line of `flows list --json` with the list's additional members.
package struct TrafficItemJSON: Encodable, Sendable {
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
        var container = encoder.container(keyedBy: MemberName.self)
        for field in RowFields.listed { try field.encode(row, to: &container) }
        guard showsTimings else { return }
        for field in RowFields.timeline { try field.encode(row, to: &container) }
    }
}
