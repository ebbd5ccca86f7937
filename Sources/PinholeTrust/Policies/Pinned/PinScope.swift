/// The certificates of the validated chain that pins are compared with.
package enum PinScope: String, Hashable, Sendable, CaseIterable {
    /// The leaf alone.
    case leaf
    /// Every certificate, the anchor included.
    case chain

    /// Those of `path` that count.
    package func certificates(of path: [CertificateFacts]) -> [CertificateFacts] {
        switch self {
        case .leaf: Array(path.prefix(1))
        case .chain: path
        }
    }

    /// What they are, for people.
    package var title: String {
        switch self {
        case .leaf: "the leaf"
        case .chain: "the validated chain"
        }
    }
}
