/// A signature scheme of TLS (IANA's registry “TLS SignatureScheme”); those of TLS 1.2 alone are in RFC 5246 §7.4.1.4.1.
package struct SignatureScheme: RawRepresentable, Sendable, CustomStringConvertible {
    /// The scheme's number, such as 0x0904 for `mldsa44`.
    package let rawValue: UInt16

    /// Names the scheme by its number.
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The name in the registry; the number for a scheme without a name here.
    package var description: String {
        Self.names[rawValue] ?? "0x" + Hexadecimal.encode([UInt8(rawValue >> 8), UInt8(rawValue & 0xff)])
    }

    private static let names: [UInt16: String] = [
        0x0201: "rsa_pkcs1_sha1", 0x0203: "ecdsa_sha1", 0x0401: "rsa_pkcs1_sha256",
        0x0403: "ecdsa_secp256r1_sha256", 0x0501: "rsa_pkcs1_sha384", 0x0503: "ecdsa_secp384r1_sha384",
        0x0601: "rsa_pkcs1_sha512", 0x0603: "ecdsa_secp521r1_sha512", 0x0804: "rsa_pss_rsae_sha256",
        0x0805: "rsa_pss_rsae_sha384", 0x0806: "rsa_pss_rsae_sha512", 0x0807: "ed25519", 0x0808: "ed448",
        0x0809: "rsa_pss_pss_sha256", 0x080a: "rsa_pss_pss_sha384", 0x080b: "rsa_pss_pss_sha512",
        0x081a: "ecdsa_brainpoolP256r1tls13_sha256", 0x081b: "ecdsa_brainpoolP384r1tls13_sha384",
        0x0202: "dsa_sha1", 0x0301: "rsa_pkcs1_sha224", 0x0302: "dsa_sha224", 0x0303: "ecdsa_sha224",
        0x0402: "dsa_sha256", 0x0502: "dsa_sha384", 0x0602: "dsa_sha512",
        0x081c: "ecdsa_brainpoolP512r1tls13_sha512", 0x0904: "mldsa44", 0x0905: "mldsa65", 0x0906: "mldsa87",
    ]
}
