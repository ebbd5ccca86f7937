/// A certificate of a chain, as far as pins can tell certificates apart.
package struct ChainLink: Hashable, Sendable {
    /// Whose key it holds.
    package let holder: KeyHolder
    /// Whether it is the very certificate that the holder had when policies were made.
    package let isOriginal: Bool

    /// Creates a link.
    package init(_ holder: KeyHolder, isOriginal: Bool) {
        self.holder = holder
        self.isOriginal = isOriginal
    }

    /// The server's certificate.
    package static let leaf = ChainLink(.leaf, isOriginal: true)
    /// Another certificate for the server's key.
    package static let newLeaf = ChainLink(.leaf, isOriginal: false)
    /// The certificate for the backup key, which lies ready.
    package static let backupLeaf = ChainLink(.backupLeaf, isOriginal: true)
    /// The issuing CA's certificate.
    package static let intermediate = ChainLink(.intermediate, isOriginal: true)
    /// A certificate of the issuing CA by another root.
    package static let crossedIntermediate = ChainLink(.intermediate, isOriginal: false)
    /// The backup CA's certificate.
    package static let backupIntermediate = ChainLink(.backupIntermediate, isOriginal: true)
    /// The root's certificate.
    package static let root = ChainLink(.root, isOriginal: true)
    /// A certificate of the root by another root.
    package static let crossedRoot = ChainLink(.root, isOriginal: false)
    /// The certificate of another server of the app.
    package static let sibling = ChainLink(.sibling, isOriginal: true)
    /// Anybody's.
    package static let other = ChainLink(.other, isOriginal: false)
}
