/// The algorithm of a key that is to be made.
package enum KeyAlgorithm: Hashable, Sendable, CaseIterable {
    /// ECDSA on NIST P-256.
    case p256
    /// ECDSA on NIST P-384.
    case p384
    /// RSA with a modulus of 2048 bits.
    case rsa2048
    /// RSA with a modulus of 3072 bits.
    case rsa3072

    /// Whether the key is an RSA key.
    var isRSA: Bool { self == .rsa2048 || self == .rsa3072 }
}
