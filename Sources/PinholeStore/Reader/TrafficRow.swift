import GRDB
package import PinholeFilter
package import PinholeModel

/// An exchange, or a flow that has none to show, as a list of traffic shows it.
package struct TrafficRow: Sendable, Equatable {
    /// What it is.
    package enum Kind: Sendable, Equatable {
        /// An exchange.
        case exchange(ExchangeSummary)
        /// A flow that failed, or whose inside was not seen.
        indirect case flow(FlowRecord)
    }

    /// What it is.
    package var kind: Kind
    /// The version in the request line, `HTTP/2`; `nil` for a flow.
    package var version: String?
    /// The Content-Type of the response.
    package var contentType: String?
    /// The client's address and port; `nil` where the flow is gone.
    package var client: String?
    /// The program that made the connection of an exchange; a flow has it in its record.
    var clientProcess: ClientProcess?
    /// What people said of it.
    package var note = TrafficNote()

    /// The number of the exchange or flow; both count in one row.
    package var id: Int64 {
        switch kind {
        case .exchange(let summary): summary.id.rawValue
        case .flow(let record): record.id.rawValue
        }
    }

    /// The number of its flow.
    var flow: Int64 {
        switch kind {
        case .exchange(let summary): summary.flow.rawValue
        case .flow(let record): record.id.rawValue
        }
    }

    /// The program that made the connection; `nil` where it is not known.
    package var process: ClientProcess? {
        switch kind {
        case .exchange: clientProcess
        case .flow(let record): record.clientProcess
        }
    }

    /// The user who logged in to the proxy; `nil` where nobody had to.
    package var proxyUser: String? {
        switch kind {
        case .exchange(let summary): summary.proxyUser
        case .flow(let record): record.proxyUser
        }
    }

    /// Whether it is a spare connection, which lists leave out unless their filter names them.
    package var isSpare: Bool {
        if case .flow(let record) = kind { record.outcome?.kind == .spare } else { false }
    }

    /// Whether it is over.
    package var hasEnded: Bool {
        switch kind {
        case .exchange(let summary): summary.outcome != nil
        case .flow(let record): record.closed != nil
        }
    }
}

/// What people said of an exchange or a flow.
package struct TrafficNote: Sendable, Equatable {
    /// Whether it is marked.
    package var isMarked = false
    /// A remark.
    package var comment: String?

    /// Nothing was said.
    package init() {}
}

/// Which exchanges and flows are meant.
package struct TrafficFilter: Sendable {
    /// Which exchanges.
    package var exchanges: ExchangeFilter
    /// Which flows; `nil` where only exchanges can be meant.
    package var flows: FlowFilter?

    /// Creates a filter of what lists show.
    ///
    /// - Parameter condition: What it is like.
    package init(_ condition: Filter = .everything) {
        exchanges = ExchangeFilter(condition)
        var flows = FlowFilter(condition)
        flows.onlyListed = true
        self.flows = flows
    }

    /// Whether nothing is left out that lists show.
    package var isEverything: Bool {
        exchanges.condition == .everything && flows?.condition == .everything
    }

    /// Only what has these numbers.
    mutating func restrict(to ids: [Int64]) {
        exchanges.among = ids.map(ExchangeID.init(rawValue:))
        flows?.among = ids.map(FlowID.init(rawValue:))
    }

    /// Only what came after this number.
    mutating func restrict(after id: Int64) {
        exchanges.after = ExchangeID(rawValue: id)
        flows?.after = FlowID(rawValue: id)
    }

    /// Only what came before this number.
    mutating func restrict(before id: Int64) {
        exchanges.before = ExchangeID(rawValue: id)
        flows?.before = FlowID(rawValue: id)
    }
}
