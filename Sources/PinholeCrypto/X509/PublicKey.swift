import COpenSSL

/// A public key without a certificate: a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
package struct PublicKey: Sendable {
    /// The SubjectPublicKeyInfo in DER, encoded by OpenSSL.
    package let spki: [UInt8]
    /// The kind and size in readable form: `P-256`, `RSA 2048`.
    package let keyDescription: String
    /// The key as `SecKeyCopyExternalRepresentation` returns it: PKCS#1 for RSA, the point for EC; `nil` for
    /// other kinds.
    package let rawKey: [UInt8]?
    private let handle: PKeyHandle

    /// Parses a SubjectPublicKeyInfo.
    ///
    /// - Parameter der: The key, with no bytes after it.
    /// - Throws: ``CryptoFailure`` when the bytes are no public key.
    package init(der: [UInt8]) throws(CryptoFailure) {
        self = try Self.recent.value(of: der) { () throws(CryptoFailure) in
            OpenSSLQueue.clear()
            guard let pointer = parsed(der, by: d2i_PUBKEY, release: EVP_PKEY_free) else {
                throw .drainingQueue("expected one public key (SubjectPublicKeyInfo) in DER")
            }
            return Self(PKeyHandle(taking: pointer))
        }
    }

    private static let recent = ParsedCache<Self>(limit: 128)

    /// Takes the public half of a private key.
    package init(of key: PrivateKey) { self.init(key.handle) }

    /// Reads the keys of a PEM text: `PUBLIC KEY` blocks, and the public halves of private keys.
    ///
    /// - Returns: The keys in their order; empty if there is none.
    /// - Throws: ``CryptoFailure`` when a key is damaged.
    package static func keys(in blocks: [PEM.Block]) throws(CryptoFailure) -> [PublicKey] {
        var keys: [PublicKey] = []
        for block in blocks {
            if block.label == "PUBLIC KEY" {
                guard let content = block.content else {
                    throw CryptoFailure(
                        "the public key in line \(block.line) is damaged: no Base64 or no END line"
                    )
                }
                keys.append(try PublicKey(der: content))
            } else if block.label.hasSuffix("PRIVATE KEY") {
                keys.append(PublicKey(of: try PrivateKey(blocks: [block])))
            }
        }
        return keys
    }

    /// Whether the signature of a certificate verifies with this key.
    func hasSigned(_ certificate: X509Handle) -> Bool {
        certificate.isSigned(by: handle)
    }

    /// Whether a signature over the SHA-256 of `bytes` verifies with this key.
    package func hasSigned(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        return OpenSSLQueue.quietly {
            EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, handle.pointer) == 1
                && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
        }
    }

    private init(_ handle: PKeyHandle) {
        self.handle = handle
        let pointer = handle.pointer
        spki = OpenSSLQueue.quietly { encoded { i2d_PUBKEY(pointer, $0) } ?? [] }
        keyDescription = OpenSSLQueue.quietly { describe(publicKey: pointer) }
        let kind = EVP_PKEY_get_base_id(pointer)
        let hasRaw = kind == EVP_PKEY_RSA || kind == EVP_PKEY_RSA_PSS || kind == EVP_PKEY_EC
        rawKey = hasRaw ? handle.publicBits : nil
    }
}
