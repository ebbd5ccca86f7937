import PinholeCrypto
import PinholeRuntime

/// The parts that the fetches of one client share.
struct ClientShared: Sendable {
    let clock: LoopClock
    let context: TLSContext
    let resolver: Resolver
    let credentials: CredentialStorage
    let sessions: SessionCache
    /// The key that keeps this client's sessions apart from those of clients with other policies.
    let fingerprint: String
}
