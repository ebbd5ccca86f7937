import PinholeCrypto
import PinholeLock
import PinholeModel

/// TLS sessions by their keys, each with the evidence that was judged when it was made.
///
/// A resumed handshake brings no certificate: OpenSSL has the leaf at most, and verification does not run
/// (docs/JUDGE.md#redirects-and-resumption). A client that wants to judge again has to keep the chain.
package final class SessionCache: Sendable {
    /// The properties by which sessions are told apart.
    struct Key: Hashable, Sendable {
        let authority: Authority
        let serverName: String?
        /// The policy of the client; `nil` if all clients share sessions, which is the bug of the lab's wrong mode.
        let policyFingerprint: String?
    }

    /// A session and the evidence that was judged when it was made.
    struct Entry: Sendable {
        let session: TLSSession
        let presentation: ServerPresentation
    }

    private let entries = Lock<[Key: Entry]>([:])

    /// Creates an empty cache.
    package init() {}

    /// Removes the session for `key` and returns it, if it can still be offered.
    ///
    /// A ticket of TLS 1.3 is used once (RFC 8446 §C.4); the next connection brings a new one.
    func take(_ key: Key) -> Entry? {
        let entry = entries.withLock { $0.removeValue(forKey: key) }
        return entry?.session.isResumable == true ? entry : nil
    }

    func keep(_ entry: Entry, for key: Key) {
        entries.withLock { entries in
            if entries.count >= 1000 { entries.removeAll() }
            entries[key] = entry
        }
    }

    /// The number of sessions.
    package var count: Int { entries.withLock { $0.count } }
}
