package import PinholeClient
package import PinholeModel
package import PinholeTrust

/// The behaviour of one client in one scenario, seen from both ends.
package struct Observation: Sendable {
    /// The decision of a client about its peer.
    package enum Decision: String, Sendable, Hashable, CaseIterable {
        /// The client sent a request, so it accepted the peer.
        case accepted
        /// The client refused the peer.
        case rejected
        /// The observation allows no conclusion.
        case undecided
    }

    /// The decision of the client about its peer.
    package var decision: Decision
    /// The reason for the decision, in a sentence.
    package var summary: String
    /// The signal on the wire that decided, for an audited program; `nil` if no connection came.
    package var signal: WireSignal?
    /// The error that an app would see; `nil` for none, and for programs that are not ours.
    package var failure: ClientFailure?
    /// The same error in the words of the mechanism's own client; `nil` if that is URLSession.
    package var reported: ReportedError?
    /// The mechanism's checks, in its order; empty for programs that are not ours.
    package var checks: [Check] = []
    /// The chain that the client was shown, leaf first; empty if it was shown none.
    package var presented: [CertificateFacts] = []
    /// The path that the client's decision rests on; empty if it rests on none.
    package var validated: [CertificateFacts] = []
    /// The connections and requests that the proxy recorded.
    package var wire = WireObservation()
    /// Whether the client judged a server in memory that another client had met on the wire.
    ///
    /// The ``wire`` is then that of the other client, and empty if this client refused the server.
    package var isFromMemory = false

    /// Creates an observation.
    package init(_ decision: Decision, _ summary: String) {
        self.decision = decision
        self.summary = summary
    }
}

/// The connections and requests of a client, as the proxy recorded them.
package struct WireObservation: Sendable {
    /// The connections, in their order.
    package var flows: [FlowRecord] = []
    /// The requests that were sent in plain HTTP or were decrypted, in their order.
    package var exchanges: [ExchangeRecord] = []
    /// The time that the client took, at the honest server, from a handshake to its request; zero if it is not known.
    package var pace = Duration.zero

    /// Creates an empty observation.
    package init() {}

    /// The alert by which the client ended a handshake; `nil` for none.
    package var alert: Alert? {
        flows.lazy.compactMap { $0.clientHandshake?.failure?.alert }.first
    }

    /// The request lines that the man in the middle read.
    package var requestLines: [String] { exchanges.map { "\($0.method) \($0.url)" } }
}
