/// How an exchange ended.
package enum ExchangeOutcome: Sendable, Equatable {
    /// Request and response passed completely.
    case completed
    /// The proxy answered itself; the text says why.
    case answeredByProxy(String)
    /// A side went away in the middle.
    case aborted(by: Side, String)
    /// The client closed a stream that has no end of its own, or a request that waited for news: no failure.
    case closedByClient(String)
    /// Somebody who watches the proxy ended it.
    case abortedByUser
    /// It could not be carried over; the text says why.
    case failed(String)

    /// What kind of end it was, by the words of filters, exports and the API.
    package enum Kind: String, Sendable, CaseIterable {
        /// Request and response passed completely.
        case completed
        /// The proxy answered itself.
        case answeredByProxy
        /// The client went away in the middle.
        case abortedByClient
        /// The server went away in the middle.
        case abortedByServer
        /// The client closed a stream that has no end of its own, or a request that waited for news.
        case closedByClient
        /// Somebody who watches the proxy ended it.
        case abortedByUser
        /// It could not be carried over.
        case failed
    }

    /// An outcome of a kind.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - detail: Why; of no interest where all is well.
    package init(_ kind: Kind, _ detail: String) {
        switch kind {
        case .completed: self = .completed
        case .answeredByProxy: self = .answeredByProxy(detail)
        case .abortedByClient: self = .aborted(by: .client, detail)
        case .abortedByServer: self = .aborted(by: .server, detail)
        case .closedByClient: self = .closedByClient(detail)
        case .abortedByUser: self = .abortedByUser
        case .failed: self = .failed(detail)
        }
    }

    /// What kind of end it was.
    package var kind: Kind {
        switch self {
        case .completed: .completed
        case .answeredByProxy: .answeredByProxy
        case .aborted(let side, _): side == .client ? .abortedByClient : .abortedByServer
        case .closedByClient: .closedByClient
        case .abortedByUser: .abortedByUser
        case .failed: .failed
        }
    }

    /// Why it ended so; `nil` where all is well.
    package var detail: String? {
        switch self {
        case .completed: nil
        case .abortedByUser: Self.userDetail
        case .answeredByProxy(let detail), .aborted(_, let detail), .closedByClient(let detail),
            .failed(let detail):
            detail
        }
    }

    /// What the records say of an exchange, or a relay, that somebody ended.
    package static let userDetail = "the user ended it"
}
