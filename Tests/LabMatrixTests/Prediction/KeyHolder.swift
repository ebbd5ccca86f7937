import PinholeCrypto
import PinholeTrust

@testable import PinholeLab

/// Whose key a certificate holds, of those that policies of the lab can pin.
enum KeyHolder: String, Hashable, Sendable, CaseIterable {
    /// The server.
    case leaf
    /// The server, once it has changed to its backup key.
    case backupLeaf
    /// The CA that issued the server's certificate.
    case intermediate
    /// The CA that would issue the next one.
    case backupIntermediate
    /// The root above both.
    case root
    /// Another server of the same app.
    case sibling
    /// Anybody else: attackers, the proxy, other CAs, keys that were made anew. Nobody pins them.
    case other
}

extension LabWorld {
    /// The certificate that is a holder's own; `nil` for anybody else.
    func certificate(of holder: KeyHolder) -> CertificateFacts? {
        switch holder {
        case .leaf: certificate(.leaf)
        case .backupLeaf: certificate(.backupLeaf)
        case .intermediate: certificate(.intermediate)
        case .backupIntermediate: certificate(.backupIntermediate)
        case .root: certificate(.root)
        case .sibling: sibling.certificate.facts
        case .other: nil
        }
    }
}
