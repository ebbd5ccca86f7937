import PinholeCrypto
package import PinholeTrust

/// The role of a pin: the certificate of the lab that replaces the pinned one.
package enum PinRole: String, Hashable, Sendable, CaseIterable {
    /// The key of the server.
    case leaf
    /// The key that the server would change to.
    case backupLeaf
    /// The key of the CA that issued the server's certificate.
    case intermediate
    /// The key of the CA that would issue the next one.
    case backupIntermediate
    /// The key of the root.
    case root

    /// The pin of the role in words.
    package var title: String {
        switch self {
        case .leaf: "the server's pin"
        case .backupLeaf: "the server's backup pin"
        case .intermediate: "the issuing CA's pin"
        case .backupIntermediate: "the backup CA's pin"
        case .root: "the root's pin"
        }
    }
}

extension LabWorld {
    /// The certificate that has a role.
    package func certificate(_ role: PinRole) -> CertificateFacts {
        switch role {
        case .leaf: leaf
        case .backupLeaf: backupIdentity.certificate.facts
        case .intermediate: intermediate
        case .backupIntermediate: backupIssuer.certificate.facts
        case .root: root
        }
    }
}
