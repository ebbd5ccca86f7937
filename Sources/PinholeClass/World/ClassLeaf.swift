import PinholeCrypto
import PinholeModel

/// A certificate that one lesson adds to the world.
struct ClassLeaf: Sendable {
    /// The signer of a certificate.
    enum Issuer: Sendable {
        /// The CA that the owners of the world use.
        case own
        /// The certificate signs itself, so that no device trusts it.
        case itself
    }

    /// The label of the certificate and of its key.
    let label: String
    /// The label of the key; `nil` for that of the certificate.
    var key: String?
    /// The name for which the certificate is.
    let host: Host
    /// The signer.
    var issuer = Issuer.own
    /// Whether the certificate ended in the last year.
    var isExpired = false
    /// The use of the certificate.
    var purpose = CertificateTemplate.Purpose.serverAuth
}
