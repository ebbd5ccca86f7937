package import PinholeCrypto
import PinholeModel

/// The configured certificates that listeners before a server present, instead of leaves of Pinhole's CA.
package struct GivenIdentities: Sendable {
    private let identities: [Identity]

    /// Creates the set.
    ///
    /// - Parameter identities: The certificates with their keys; empty if leaves of the CA are presented.
    package init(_ identities: [Identity] = []) {
        self.identities = identities
    }

    /// Returns the certificate to present to a client.
    ///
    /// - Parameter serverName: The server name in the client's ClientHello.
    /// - Returns: The first certificate with that name, else the first one; `nil` if there are none.
    func identity(for serverName: String?) -> Identity? {
        let host = serverName.flatMap { try? Host($0) }
        return identities.first { identity in host.map(identity.certificate.matches) ?? false }
            ?? identities.first
    }
}
