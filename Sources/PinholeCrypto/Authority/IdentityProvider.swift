package import PinholeModel

/// Provides the certificate chain and key that the proxy presents for an intercepted host.
///
/// The proxy uses ``LeafMinter``. The lab has a provider of its own, which presents what an attacker would.
package protocol IdentityProvider: AnyObject, Sendable {
    /// The identity for `request` if it is ready; `nil` if ``mint(_:now:)`` would have to make one.
    func cached(_ request: LeafRequest, now: Timestamp) -> Identity?

    /// Returns the identity for `request`, and makes one if necessary.
    ///
    /// The call may take some time, so it must not run on an event loop.
    ///
    /// - Parameters:
    ///   - request: The names and the fault of the leaf.
    ///   - now: The present.
    /// - Returns: The leaf, the chain above it, and its key.
    /// - Throws: ``CryptoFailure`` when no leaf can be made.
    func mint(_ request: LeafRequest, now: Timestamp) throws(CryptoFailure) -> Identity
}
