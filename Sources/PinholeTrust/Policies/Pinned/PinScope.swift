/// The certificates of the validated chain that pins are compared with.
package enum PinScope: String, Hashable, Sendable, CaseIterable {
    /// Only the leaf.
    case leaf
    /// Every certificate, including the anchor.
    case chain

    /// The certificates of `path` in the scope.
    package func certificates(of path: [CertificateFacts]) -> [CertificateFacts] {
        switch self {
        case .leaf: Array(path.prefix(1))
        case .chain: path
        }
    }

    /// The scope in readable form.
    package var title: String {
        switch self {
        case .leaf: "the leaf"
        case .chain: "the validated chain"
        }
    }

    /// The position of the pins in this scope.
    var position: PinList.Position { self == .leaf ? .leaf : .any }
}
