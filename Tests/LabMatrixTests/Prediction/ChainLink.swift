/// A certificate of a chain, as far as pins can tell certificates apart.
struct ChainLink: Hashable, Sendable {
    /// Whose key it holds.
    let holder: KeyHolder
    /// Whether it is the very certificate that the holder had when policies were made.
    let isOriginal: Bool

    /// Creates a link.
    init(_ holder: KeyHolder, isOriginal: Bool) {
        self.holder = holder
        self.isOriginal = isOriginal
    }

    /// The server's certificate.
    static let leaf = ChainLink(.leaf, isOriginal: true)
    /// Another certificate for the server's key.
    static let newLeaf = ChainLink(.leaf, isOriginal: false)
    /// The certificate for the backup key, which lies ready.
    static let backupLeaf = ChainLink(.backupLeaf, isOriginal: true)
    /// The issuing CA's certificate.
    static let intermediate = ChainLink(.intermediate, isOriginal: true)
    /// A certificate of the issuing CA by another root.
    static let crossedIntermediate = ChainLink(.intermediate, isOriginal: false)
    /// The backup CA's certificate.
    static let backupIntermediate = ChainLink(.backupIntermediate, isOriginal: true)
    /// The root's certificate.
    static let root = ChainLink(.root, isOriginal: true)
    /// A certificate of the root by another root.
    static let crossedRoot = ChainLink(.root, isOriginal: false)
    /// The certificate of another server of the app.
    static let sibling = ChainLink(.sibling, isOriginal: true)
    /// Anybody's.
    static let other = ChainLink(.other, isOriginal: false)
}
