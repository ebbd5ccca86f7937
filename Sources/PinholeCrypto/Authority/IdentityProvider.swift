package import PinholeModel

/// Provides what the proxy presents for a host that it intercepts.
///
/// ``LeafMinter`` is the one of a proxy at work; the lab has its own, which presents what an attacker would.
package protocol IdentityProvider: AnyObject, Sendable {
    /// The identity for `request` where it is at hand; `nil` where ``mint(_:now:)`` would have to make one.
    func cached(_ request: LeafRequest, now: Timestamp) -> Identity?

    /// The identity for `request`, made now if need be.
    ///
    /// It may take its time, so it is called off the event loops.
    ///
    /// - Parameters:
    ///   - request: What the leaf must say.
    ///   - now: The present.
    /// - Returns: The leaf, the chain above it, and its key.
    /// - Throws: ``CryptoFailure`` when none can be made.
    func mint(_ request: LeafRequest, now: Timestamp) throws(CryptoFailure) -> Identity
}
