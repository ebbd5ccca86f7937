package import PinholeModel
package import PinholeTrust

/// What one client did in one scenario, seen from both ends.
package struct Observation: Sendable {
    /// What the client made of its peer.
    package enum Decision: String, Sendable, Hashable, CaseIterable {
        /// It went along: a request was sent.
        case accepted
        /// It refused.
        case rejected
        /// It cannot be said.
        case undecided
    }

    /// What the client made of its peer.
    package var decision: Decision
    /// Why, in a sentence.
    package var summary: String
    /// What on the wire decided, of a program that is not ours; `nil` where nothing came.
    package var signal: WireSignal?
    /// The error that an app would see; `nil` for none, and for programs that are not ours.
    package var failure: ClientFailure?
    /// The same error in the words of the mechanism's own client; `nil` where that is URLSession.
    package var reported: ReportedError?
    /// The mechanism's checks, in its order; empty for programs that are not ours.
    package var checks: [Check] = []
    /// The chain that the client was shown, leaf first; empty where none was.
    package var presented: [CertificateFacts] = []
    /// The path that the client's decision rests on; empty where it rests on none.
    package var validated: [CertificateFacts] = []
    /// What the other end saw.
    package var wire = WireObservation()

    /// Creates an observation.
    package init(_ decision: Decision, _ summary: String) {
        self.decision = decision
        self.summary = summary
    }
}

/// What the proxy saw of a client.
package struct WireObservation: Sendable {
    /// The connections, in their order.
    package var flows: [FlowRecord] = []
    /// The requests that came in the clear or were decrypted, in their order.
    package var exchanges: [ExchangeRecord] = []

    /// Creates an empty observation.
    package init() {}

    /// The alert by which the client ended a handshake; `nil` for none.
    package var alert: Alert? {
        flows.lazy.compactMap { $0.clientHandshake?.failure?.alert }.first
    }

    /// The request lines that the man in the middle read.
    package var requestLines: [String] { exchanges.map { "\($0.method) \($0.url)" } }
}
