package import PinholeModel
package import PinholeStore

/// An exchange or a flow in the console's list: a line of `flows list --json` with the list's additional members.
package struct TrafficItemJSON: Encodable, SelfDescribed, Sendable {
    private let row: TrafficRow?
    private let showsTimings: Bool

    /// Takes the facts of a row.
    ///
    /// - Parameters:
    ///   - row: The row; `nil` for an object without members.
    ///   - showsTimings: Whether the members for timelines are written: the stages, and what caused the request.
    package init(_ row: TrafficRow?, showsTimings: Bool = false) {
        self.row = row
        self.showsTimings = showsTimings
    }

    /// The members of both kinds of rows, and those of the list.
    package static func schema(in book: SchemaBook) throws -> JSONSchema {
        try ExchangeFields.all.schema(in: book, type: "exchange", "flow")
            .merging(FlowFields.members.schema(in: book, type: "exchange", "flow").optional)
            .merging(RowFields.listed.schema(in: book, type: "exchange", "flow").optional)
            .merging(RowFields.timeline.schema(in: book, type: "exchange", "flow").optional)
    }

    /// An object without members.
    package static var schemaSample: TrafficItemJSON { TrafficItemJSON(nil) }

    /// Writes the members of the line and of the list into one object.
    package func encode(to encoder: any Encoder) throws {
        guard let row else { return }
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
