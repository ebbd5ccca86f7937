/// The result of an exchange or a flow in a word, the same for filters, lists, statistics and the page.
package enum Standing: String, Sendable, CaseIterable {
    /// Everything passed, without an error.
    case completed
    /// The answer is complete, and is an error.
    case failed
    /// No complete response came.
    case broken
    /// The tunnel was relayed, and its content was not read.
    case relayed
    /// The client opened a connection and did not need it.
    case spare
    /// The proxy was stopped.
    case stopped

    /// The word in the column of the status of a list, where no status stands; `…` while the item is running.
    package static func listWord(_ standing: Standing?) -> String {
        guard let standing else { return "…" }
        return switch standing {
        case .completed: "-"
        // A broken exchange or flow failed, too.
        case .failed, .broken: "FAILED"
        case .relayed, .spare, .stopped: standing.rawValue.uppercased()
        }
    }
}

extension ExchangeRecord {
    /// Whether the exchange ended without a complete answer of its server.
    ///
    /// An answer of the proxy counts by its status. An answer without a status is a close.
    package var isBroken: Bool {
        switch outcome {
        case nil, .completed, .closedByClient: false
        case .answeredByProxy: (status ?? 400) >= 400
        case .aborted, .abortedByUser, .failed: true
        }
    }

    /// Whether the exchange failed: it is broken, or its answer is an error of HTTP or of a protocol inside of HTTP.
    package var isFailed: Bool {
        isBroken || (status ?? 0) >= 400 || protocolStatus?.isError == true
    }

    /// The result; `nil` while the exchange is running.
    package var standing: Standing? {
        guard outcome != nil else { return nil }
        return isBroken ? .broken : isFailed ? .failed : .completed
    }
}

extension FlowRecord {
    /// The result; `nil` while the flow is running and has not failed.
    ///
    /// A flow that failed has no complete response.
    package var standing: Standing? {
        if isFailed { return .broken }
        guard let outcome else { return nil }
        return switch outcome.kind {
        case .spare: .spare
        case .stopped: .stopped
        case .completed, .handshakeFailed, .dialFailed, .refused, .aborted, .timedOut:
            treatment == .passedThrough || treatment == .opaque ? .relayed : .completed
        }
    }
}

/// The SQL for the results of exchanges and flows.
///
/// The conditions are never NULL.
package enum StandingSQL {
    /// The condition that an exchange is broken, as `ExchangeRecord.isBroken` says it.
    package static let isBroken = """
        (coalesce(outcome NOT IN (\(Kind.completed.code), \(Kind.closedByClient.code), \
        \(Kind.answeredByProxy.code)), 0) \
        OR (outcome IS \(Kind.answeredByProxy.code) AND coalesce(status, 400) >= 400))
        """
    /// The condition that an exchange failed, as `ExchangeRecord.isFailed` says it.
    package static let isFailed =
        "(\(isBroken) OR coalesce(status, 0) >= 400 OR state & \(ExchangeState.protocolError.rawValue))"

    /// The result of an exchange.
    static let ofExchange = """
        (CASE WHEN outcome IS NULL THEN NULL WHEN \(isBroken) THEN 'broken' WHEN \(isFailed) THEN 'failed' \
        ELSE 'completed' END)
        """
    /// The result of a flow.
    static let ofFlow = """
        (CASE WHEN failed THEN 'broken' WHEN outcome IS NULL OR outcome IN ('spare', 'stopped') THEN outcome \
        WHEN treatment IN ('passedThrough', 'opaque') THEN 'relayed' ELSE 'completed' END)
        """

    private typealias Kind = ExchangeOutcome.Kind
}
