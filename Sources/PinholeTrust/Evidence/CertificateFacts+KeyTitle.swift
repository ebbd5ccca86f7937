extension CertificateFacts.Key {
    /// The kind and size in readable form: `RSA 2048`, `P-256`.
    package var title: String {
        switch self {
        case .rsa(let bits): "RSA \(bits)"
        case .curve("prime256v1"): "P-256"
        case .curve("secp384r1"): "P-384"
        case .curve("secp521r1"): "P-521"
        case .curve(let name), .other(let name): name
        }
    }
}
