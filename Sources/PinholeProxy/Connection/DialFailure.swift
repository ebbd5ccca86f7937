/// The reason why no connection to a server could be made.
package struct DialFailure: Error, Equatable, Sendable {
    /// A kind of failure.
    package enum Kind: Equatable, Sendable {
        /// The host name has no address.
        case unresolvable
        /// The server's machine refused the connection.
        case refused
        /// There is no route, or the network refused the connection in another way.
        case unreachable
        /// There was no answer in time.
        case timedOut
        /// The address belongs to the proxy itself.
        case loop
        /// The next proxy on the way cannot be reached.
        case hopUnreachable
        /// The next proxy could not or would not connect to the server.
        case hopRefused
        /// The next proxy wants credentials, or refuses the given ones.
        case hopAuthentication
        /// The next proxy leads back to this one.
        case hopLoop
    }

    /// The kind of the failure.
    package let kind: Kind
    /// A sentence for people.
    package let detail: String

    /// Creates a failure.
    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// The status of the answer to a request that needed the connection.
    package var status: Int {
        switch kind {
        case .unresolvable, .refused, .unreachable, .hopUnreachable, .hopRefused, .hopAuthentication: 502
        case .timedOut: 504
        case .loop, .hopLoop: 508
        }
    }
}
