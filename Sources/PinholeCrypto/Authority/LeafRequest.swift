package import PinholeModel

/// The names of a leaf, and the fault that it is to have.
package struct LeafRequest: Hashable, Sendable {
    /// The names that the leaf is for.
    ///
    /// The first is the host that the client asked for.
    package var names: [Host]
    /// The fault that the leaf must have; `nil` for a leaf that verifies.
    package var fault: LeafFault?

    /// Creates a request.
    package init(names: [Host], fault: LeafFault? = nil) {
        self.names = names
        self.fault = fault
    }
}

/// A fault of the server's certificate that is copied into the leaf, so that the client sees the fault too.
package enum LeafFault: Hashable, Sendable {
    /// The validity of the certificate is over.
    case expired(notBefore: Timestamp, notAfter: Timestamp)
    /// The validity of the certificate has not begun.
    case notYetValid(notBefore: Timestamp, notAfter: Timestamp)
    /// The certificate is for other names.
    case wrongName(names: [Host])
    /// The certificate is signed by an authority that nobody trusts.
    case untrusted
    /// The certificate is signed by its own key.
    case selfSigned
}
