package import PinholeCrypto
import PinholeModel

/// The certificates with keys that listeners before a server present, in place of leaves by Pinhole's CA.
package struct GivenIdentities: Sendable {
    private let identities: [Identity]

    /// Creates the set.
    ///
    /// - Parameter identities: The certificates with their keys; none for leaves by the CA.
    package init(_ identities: [Identity] = []) {
        self.identities = identities
    }

    /// What is presented to a client.
    ///
    /// - Parameter serverName: Whom it asks for in its ClientHello.
    /// - Returns: The first that names that, else the first; `nil` where there is none.
    func identity(for serverName: String?) -> Identity? {
        let host = serverName.flatMap { try? Host($0) }
        return identities.first { identity in host.map(identity.certificate.matches) ?? false }
            ?? identities.first
    }
}
