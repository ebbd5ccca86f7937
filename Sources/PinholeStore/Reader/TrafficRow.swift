package import PinholeFilter
package import PinholeModel

/// A row of a list of traffic: an exchange, or a flow without one to show.
package struct TrafficRow: Sendable, Equatable {
    /// The kind of a row.
    package indirect enum Kind: Sendable, Equatable {
        /// An exchange, without its heads and the bytes of its bodies.
        case exchange(ExchangeRecord)
        /// A flow that failed, or that was relayed unread.
        case flow(FlowRecord)
    }

    /// The exchange or flow.
    package var kind: Kind
    /// The version in the request line, `HTTP/2`; `nil` for a flow.
    package var version: String?
    /// The Content-Type of the response; `nil` if there is none.
    package var contentType: String?
    /// The head of the request: its first line, and at least 16 KiB; empty for a flow.
    package var requestHead: [UInt8] = []
    /// The head of the response, up to 16 KiB; empty if there is none.
    package var responseHead: [UInt8] = []
    /// The flow of an exchange, with the fields that the exchange shows (``Field/isJoined``).
    ///
    /// If the exchange has the time of a handshake with the server, the flow has the moments of that handshake as well.
    /// This is `nil` for a flow, and if the flow of the exchange was removed.
    package var connection: FlowRecord?
    /// The user's mark and comment.
    package var note = TrafficNote()

    /// The number of the exchange or flow; both share one sequence.
    package var id: Int64 {
        switch kind {
        case .exchange(let exchange): exchange.id.rawValue
        case .flow(let record): record.id.rawValue
        }
    }

    /// Whether the row is a spare connection, which lists leave out unless their filter names them.
    package var isSpare: Bool {
        if case .flow(let record) = kind { record.outcome?.kind == .spare } else { false }
    }

    /// Whether the exchange or flow has ended.
    package var hasEnded: Bool {
        switch kind {
        case .exchange(let exchange): exchange.outcome != nil
        case .flow(let record): record.closed != nil
        }
    }
}

/// A user's mark and comment on an exchange or a flow.
package struct TrafficNote: Sendable, Equatable {
    /// Whether the item is marked.
    package var isMarked = false
    /// The comment; `nil` if there is none.
    package var comment: String?

    /// The most characters that a user or an agent may write.
    package static let longestComment = 10_000

    /// Creates an empty note.
    package init() {}

    /// Takes a mark and a comment; `nil` keeps what is there, and an empty comment removes the comment.
    package mutating func take(isMarked: Bool?, comment: String?) {
        if let isMarked { self.isMarked = isMarked }
        if let comment { self.comment = comment.isEmpty ? nil : comment }
    }
}

/// Selects exchanges and flows.
package struct TrafficFilter: Sendable {
    /// The filter of exchanges.
    package var exchanges: ExchangeFilter
    /// The filter of flows; `nil` if only exchanges are selected.
    package var flows: FlowFilter?

    /// Creates a filter of the rows that lists show.
    ///
    /// - Parameter condition: The filter that they must match.
    package init(_ condition: Filter = .everything) {
        exchanges = ExchangeFilter(condition)
        var flows = FlowFilter(condition)
        flows.onlyListed = true
        self.flows = flows
    }

    /// Whether the filter selects all rows that lists show.
    package var isEverything: Bool {
        exchanges.condition == .everything && flows?.condition == .everything && exchanges.after == nil
            && exchanges.before == nil
    }

    /// Restricts the selection to these numbers.
    mutating func restrict(to ids: [Int64]) {
        exchanges.among = ids.map(ExchangeID.init(rawValue:))
        flows?.among = ids.map(FlowID.init(rawValue:))
    }

    /// Restricts the selection to numbers after this one.
    package mutating func restrict(after id: Int64) {
        exchanges.after = ExchangeID(rawValue: id)
        flows?.after = FlowID(rawValue: id)
    }

    /// Restricts the selection to numbers before this one.
    package mutating func restrict(before id: Int64) {
        exchanges.before = ExchangeID(rawValue: id)
        flows?.before = FlowID(rawValue: id)
    }
}
