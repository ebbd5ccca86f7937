/// Why no connection to a server could be made.
package struct DialFailure: Error, Equatable, Sendable {
    /// What kind of failure it is.
    package enum Kind: Equatable, Sendable {
        /// The name has no address.
        case unresolvable
        /// The server's machine refused.
        case refused
        /// No route, or another refusal of the network.
        case unreachable
        /// No answer in time.
        case timedOut
        /// The address is the proxy's own.
        case loop
        /// The proxy that it should be reached through cannot be reached itself.
        case hopUnreachable
        /// That proxy could not or would not connect.
        case hopRefused
        /// That proxy wants credentials, or others.
        case hopAuthentication
        /// That proxy leads back to this one.
        case hopLoop
    }

    /// What kind of failure it is.
    package let kind: Kind
    /// One sentence for people.
    package let detail: String

    /// Creates a failure.
    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// The status with which a request that needed the connection is answered.
    package var status: Int {
        switch kind {
        case .unresolvable, .refused, .unreachable, .hopUnreachable, .hopRefused, .hopAuthentication: 502
        case .timedOut: 504
        case .loop, .hopLoop: 508
        }
    }
}
