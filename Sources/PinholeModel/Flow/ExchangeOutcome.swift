/// The end of an exchange: its kind and its reason.
package enum ExchangeOutcome: Sendable, Equatable {
    /// The request and the response passed completely.
    case completed
    /// The proxy sent its own answer, for the given reason.
    case answeredByProxy(String)
    /// A side closed the connection or stream before the exchange was complete.
    case aborted(by: Side, String)
    /// The client closed a stream that has no end of its own, or a request that waited for news: not a failure.
    case closedByClient(String)
    /// A user ended the exchange.
    case abortedByUser
    /// The exchange could not be carried out, for the given reason.
    case failed(String)

    /// The kind of end, with the names that filters, exports and the API use.
    package enum Kind: String, Sendable, CaseIterable {
        /// The request and the response passed completely.
        case completed
        /// The proxy sent its own answer.
        case answeredByProxy
        /// The client closed before the exchange was complete.
        case abortedByClient
        /// The server closed before the exchange was complete.
        case abortedByServer
        /// The client closed a stream that has no end of its own, or a request that waited for news.
        case closedByClient
        /// A user ended the exchange.
        case abortedByUser
        /// The exchange could not be carried out.
        case failed
    }

    /// Creates an outcome of a kind.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - detail: The reason; ignored for `completed` and `abortedByUser`.
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

    /// The kind of end.
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

    /// The reason of the end; `nil` if the exchange was completed.
    package var detail: String? {
        switch self {
        case .completed: nil
        case .abortedByUser: Self.userDetail
        case .answeredByProxy(let detail), .aborted(_, let detail), .closedByClient(let detail),
            .failed(let detail):
            detail
        }
    }

    /// The reason that records have for an exchange, or a relay, that a user ended.
    package static let userDetail = "the user ended it"
}
