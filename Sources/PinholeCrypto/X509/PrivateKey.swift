import COpenSSL

/// A private key, RSA or on an elliptic curve, for certificates and for TLS.
package struct PrivateKey: Sendable {
    let handle: PKeyHandle

    init(taking pointer: OpaquePointer) { handle = PKeyHandle(taking: pointer) }

    /// Makes a new key.
    ///
    /// - Parameter algorithm: The kind of key.
    /// - Returns: The key.
    /// - Throws: ``CryptoFailure`` when OpenSSL has no randomness or does not support the algorithm.
    package static func generate(_ algorithm: KeyAlgorithm) throws(CryptoFailure) -> PrivateKey {
        switch algorithm {
        case .p256: try generateEC("P-256")
        case .p384: try generateEC("P-384")
        case .rsa2048: try generateRSA(2048)
        case .rsa3072: try generateRSA(3072)
        }
    }

    /// Makes a new key on NIST P-256.
    package static func generateP256() throws(CryptoFailure) -> PrivateKey { try generateEC("P-256") }

    /// Makes the key on NIST P-256 whose secret number is given, for keys that are derived from a seed.
    ///
    /// - Parameter scalar: 32 bytes, the number in network order. The highest bit is cleared, so that it is below the
    ///   order of the group.
    /// - Returns: The key.
    /// - Throws: ``CryptoFailure`` when the number is 0 or does not have 32 bytes.
    package static func p256(scalar: [UInt8]) throws(CryptoFailure) -> PrivateKey {
        guard scalar.count == 32, let first = scalar.first else {
            throw CryptoFailure("expected 32 bytes for a key on P-256, found \(scalar.count)")
        }
        // An ECPrivateKey of RFC 5915 without the public key, which OpenSSL computes.
        let number = [first & 0x7f] + scalar.dropFirst()
        return try PrivateKey(
            der: [0x30, 0x31, 2, 1, 1, 4, 32] + number
                + [0xa0, 0x0a, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7]
        )
    }

    /// Makes a new RSA key.
    ///
    /// - Parameter bits: The size of the modulus.
    /// - Returns: The key.
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses the size or has no randomness.
    package static func generateRSA(_ bits: Int) throws(CryptoFailure) -> PrivateKey {
        OpenSSLQueue.clear()
        guard let pointer = pinhole_EVP_RSA_gen(UInt32(clamping: bits)) else {
            throw .drainingQueue("could not make an RSA key of \(bits) bits")
        }
        return PrivateKey(taking: pointer)
    }

    private static func generateEC(_ curve: String) throws(CryptoFailure) -> PrivateKey {
        OpenSSLQueue.clear()
        guard let pointer = pinhole_EVP_EC_gen(curve) else {
            throw .drainingQueue("could not make a key on \(curve)")
        }
        return PrivateKey(taking: pointer)
    }

    /// The key in unencrypted PKCS#8 PEM.
    package var pem: String {
        get throws(CryptoFailure) {
            OpenSSLQueue.clear()
            let text = MemoryBIO.text {
                PEM_write_bio_PrivateKey($0, handle.pointer, nil, nil, 0, nil, nil)
            }
            guard let text else { throw .drainingQueue("could not encode the private key") }
            return text
        }
    }

    /// The SubjectPublicKeyInfo of the public half, in DER.
    package var spki: [UInt8] {
        OpenSSLQueue.quietly { encoded { i2d_PUBKEY(handle.pointer, $0) } ?? [] }
    }

    /// The kind and size in readable form: `P-256`, `RSA 2048`.
    package var keyDescription: String { OpenSSLQueue.quietly { describe(publicKey: handle.pointer) } }

    /// Whether it is an RSA key.
    var isRSA: Bool { EVP_PKEY_get_base_id(handle.pointer) == EVP_PKEY_RSA }

    /// The digest for signatures with the key: as strong as the curve, SHA-256 for RSA; `nil` if the
    /// algorithm has its own (Ed25519).
    var signatureDigest: OpaquePointer? {
        switch EVP_PKEY_get_base_id(handle.pointer) {
        case EVP_PKEY_ED25519, EVP_PKEY_ED448: nil
        case EVP_PKEY_EC where EVP_PKEY_get_bits(handle.pointer) > 384: EVP_sha512()
        case EVP_PKEY_EC where EVP_PKEY_get_bits(handle.pointer) > 256: EVP_sha384()
        default: EVP_sha256()
        }
    }
}

/// Describes the kind and size of a key in readable form.
func describe(publicKey: OpaquePointer?) -> String {
    guard let publicKey else { return "unknown key" }
    let kind = EVP_PKEY_get_base_id(publicKey)
    if kind == EVP_PKEY_EC {
        var name = [CChar](repeating: 0, count: 80)
        guard EVP_PKEY_get_group_name(publicKey, &name, name.count, nil) == 1 else { return "EC" }
        return EC_curve_nid2nist(OBJ_txt2nid(name)).map { String(cString: $0) }
            ?? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    let name = EVP_PKEY_get0_type_name(publicKey).map { String(cString: $0) } ?? "unknown key"
    return kind == EVP_PKEY_RSA || kind == EVP_PKEY_DSA ? "\(name) \(EVP_PKEY_get_bits(publicKey))" : name
}
