package import PinholeModel

/// What a leaf must say.
package struct LeafRequest: Hashable, Sendable {
    /// The names that it is for; the first is the host that the client asked for.
    package var names: [Host]
    /// The fault that it must have; `nil` for a leaf that verifies.
    package var fault: LeafFault?

    /// Creates a request.
    package init(names: [Host], fault: LeafFault? = nil) {
        self.names = names
        self.fault = fault
    }
}

/// A fault of the server's certificate that is forged into the leaf, so that the client sees it too.
package enum LeafFault: Hashable, Sendable {
    /// The validity is over.
    case expired(notBefore: Timestamp, notAfter: Timestamp)
    /// The validity has not begun.
    case notYetValid(notBefore: Timestamp, notAfter: Timestamp)
    /// It is for other names, these.
    case wrongName(names: [Host])
    /// It is signed by an authority that nobody trusts.
    case untrusted
    /// It is signed by its own key.
    case selfSigned
}
