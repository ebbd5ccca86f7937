/// The reason why another proxy refuses a connection to us.
package struct HopRefusal: Error, Equatable, Sendable {
    /// The kind of refusal.
    package enum Kind: String, Sendable, Equatable, CaseIterable {
        /// The proxy requires credentials, or other credentials than it received.
        case authentication
        /// The proxy reports that the request goes round in a loop.
        case loop
        /// The proxy cannot or will not reach the server.
        case refused
        /// The proxy breaks its protocol.
        case malformed
    }

    /// The kind of refusal.
    package let kind: Kind
    /// The refusal in a sentence; safe to print.
    package let detail: String

    /// Creates a refusal.
    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }
}
