import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeTrust

/// TLS sessions by what they were made for, with the evidence that was judged then.
///
/// A resumed handshake brings no certificate: OpenSSL has the leaf at most, and verification does not run
/// (docs/JUDGE.md#redirects-and-resumption). Who wants to judge again has to keep the chain.
package final class SessionCache: Sendable {
    /// What tells sessions apart.
    struct Key: Hashable, Sendable {
        let authority: Authority
        let serverName: String?
        /// `nil` where clients of any policy share sessions, which is the bug of the lab's wrong mode.
        let policyFingerprint: String?
    }

    /// A session and what was judged when it was made.
    struct Entry: Sendable {
        let session: TLSSession
        let presentation: ServerPresentation
    }

    private let entries = Lock<[Key: Entry]>([:])

    /// Creates an empty cache.
    package init() {}

    /// Takes the session for `key` out, if it can still be offered.
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
