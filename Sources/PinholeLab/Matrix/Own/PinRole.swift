import PinholeCrypto
package import PinholeTrust

/// Whose key a pin is: the certificate of the lab that stands in for the user's.
package enum PinRole: String, Hashable, Sendable, CaseIterable {
    /// The server's.
    case leaf
    /// The one that the server would change to.
    case backupLeaf
    /// That of the CA that issued the server's certificate.
    case intermediate
    /// That of the CA that would issue the next one.
    case backupIntermediate
    /// The root's.
    case root

    /// The role in words, behind “for”.
    package var title: String {
        switch self {
        case .leaf: "the server's own"
        case .backupLeaf: "the server's backup"
        case .intermediate: "the issuing CA's"
        case .backupIntermediate: "the backup CA's"
        case .root: "the root's"
        }
    }

    /// Whether a certificate in use has the role.
    package var isInUse: Bool { self != .backupLeaf && self != .backupIntermediate }
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
