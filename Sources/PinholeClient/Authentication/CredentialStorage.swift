import PinholeLock
import PinholeModel

/// Credentials by their protection spaces, kept in memory: Apple's `URLCredentialStorage`, without the keychain.
package final class CredentialStorage: Sendable {
    /// The properties by which protection spaces are told apart.
    ///
    /// The realm and the method are among them, so that a password for Digest never goes out as Basic because a server
    /// says so.
    private struct Key: Hashable {
        let host: Host
        let port: UInt16
        let realm: String?
        let method: AuthenticationMethod
        let isProxy: Bool

        init(_ space: ProtectionSpace) {
            host = space.host
            port = space.port
            realm = space.realm
            method = space.authenticationMethod
            isProxy = space.isProxy
        }
    }

    private let credentials = Lock<[Key: Credential]>([:])

    /// Creates an empty storage.
    package init() {}

    /// The credential for a space; `nil` for none.
    package func credential(for space: ProtectionSpace) -> Credential? {
        credentials.withLock { $0[Key(space)] }
    }

    /// Keeps a credential whose persistence is `forSession`.
    package func keep(_ credential: Credential, for space: ProtectionSpace) {
        guard credential.persistence == .forSession else { return }
        credentials.withLock { credentials in
            // A server that names a new realm each time costs no memory.
            if credentials.count >= 1000 { credentials.removeAll() }
            credentials[Key(space)] = credential
        }
    }

    /// Removes a credential that a server has refused.
    package func forget(_ space: ProtectionSpace) {
        credentials.withLock { $0[Key(space)] = nil }
    }
}
