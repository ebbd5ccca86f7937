/// A named group of a TLS key exchange (IANA's registry “TLS Supported Groups”).
package struct TLSGroup: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The group's number, such as 29 for `x25519`.
    package let rawValue: UInt16

    /// X25519 beside ML-KEM-768, which most clients send first.
    package static let x25519MLKEM768 = TLSGroup(rawValue: 4588)

    /// Names the group by its number.
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Finds the group by its name in the registry, in capital or small letters; `nil` for an unknown name.
    ///
    /// - Parameter name: The name, such as `X25519MLKEM768`.
    package init?(named name: String) {
        guard let number = Self.numbers[name.lowercased()] else { return nil }
        rawValue = number
    }

    /// The name in the registry; the number for a group without a name here.
    package var description: String {
        Self.names[rawValue] ?? "0x" + Hexadecimal.encode([UInt8(rawValue >> 8), UInt8(rawValue & 0xff)])
    }

    /// Whether the key exchange withstands quantum computers: ML-KEM (FIPS 203), alone or beside a curve, and its draft.
    package var isPostQuantum: Bool {
        switch rawValue {
        case 512...514, 4587...4590, 25497, 25498: true
        default: false
        }
    }

    /// The names of groups by their numbers.
    package static let names: [UInt16: String] = [
        19: "secp192r1", 21: "secp224r1", 22: "secp256k1", 23: "secp256r1", 24: "secp384r1", 25: "secp521r1",
        26: "brainpoolP256r1", 27: "brainpoolP384r1", 28: "brainpoolP512r1", 29: "x25519", 30: "x448",
        31: "brainpoolP256r1tls13", 32: "brainpoolP384r1tls13", 33: "brainpoolP512r1tls13", 41: "curveSM2",
        256: "ffdhe2048", 257: "ffdhe3072", 258: "ffdhe4096", 259: "ffdhe6144", 260: "ffdhe8192",
        512: "MLKEM512", 513: "MLKEM768", 514: "MLKEM1024",
        4587: "SecP256r1MLKEM768", 4588: "X25519MLKEM768", 4589: "SecP384r1MLKEM1024",
        4590: "curveSM2MLKEM768",
        25497: "X25519Kyber768Draft00", 25498: "SecP256r1Kyber768Draft00",
    ]

    private static let numbers = Dictionary(
        names.map { ($0.value.lowercased(), $0.key) },
        uniquingKeysWith: { first, _ in first }
    )
}
