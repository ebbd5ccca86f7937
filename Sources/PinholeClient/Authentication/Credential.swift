package import PinholeCrypto

/// The answer to a challenge: Apple's `URLCredential`.
package struct Credential: Sendable {
    /// The time for which a credential is kept.
    package enum Persistence: String, Sendable {
        /// The credential is used for this request only.
        case none
        /// The credential is kept in memory, as long as the client exists.
        case forSession
    }

    /// The kinds of credentials.
    package enum Content: Sendable {
        /// The server's chain, accepted as it is: it is not evaluated any more.
        case trust(ServerTrust)
        /// A certificate and its key.
        case identity(Identity)
        /// A name and a password.
        case password(user: String, password: String)
    }

    /// The credential itself.
    package let content: Content
    /// The time for which the credential is kept.
    package let persistence: Persistence

    /// Accepts the server's chain as it is.
    package init(trust: ServerTrust) {
        content = .trust(trust)
        persistence = .none
    }

    /// Presents a certificate.
    package init(identity: Identity, persistence: Persistence = .forSession) {
        content = .identity(identity)
        self.persistence = persistence
    }

    /// Presents a name and a password.
    package init(user: String, password: String, persistence: Persistence = .forSession) {
        content = .password(user: user, password: password)
        self.persistence = persistence
    }

    /// The name and the password; `nil` for another kind.
    package var login: (user: String, password: String)? {
        guard case .password(let user, let password) = content else { return nil }
        return (user, password)
    }

    /// The certificate and its key; `nil` for another kind.
    package var identity: Identity? {
        guard case .identity(let identity) = content else { return nil }
        return identity
    }

    /// Whether both contain the same name and the same password.
    func isSameLogin(as other: Credential?) -> Bool {
        guard let mine = login, let others = other?.login else { return false }
        return mine == others
    }
}
