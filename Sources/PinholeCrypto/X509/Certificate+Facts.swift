import COpenSSL
import PinholeTrust

extension Certificate {
    /// Reads the facts that policies compare.
    func makeFacts() -> CertificateFacts {
        let spki = spki
        return CertificateFacts(
            der: der,
            spki: spki,
            key: handle.encodedKey ?? [],
            keyKind: keyKind,
            sha256: Digest.sha256(der),
            sha512: Digest.sha512(der),
            spkiSHA1: Digest.sha1(spki),
            spkiSHA256: Digest.sha256(spki),
            spkiSHA512: Digest.sha512(spki),
            rawKeySHA256: rawKey.map { Digest.sha256($0) },
            subject: subject,
            issuer: issuer,
            names: subjectAlternativeNames,
            notBefore: notBefore,
            notAfter: notAfter,
            isAuthority: isAuthority,
            pathLength: pathLength,
            isSelfSigned: isSelfSigned,
            signatureAlgorithm: signatureAlgorithm,
            mustStaple: mustStaple,
            timestamps: signedTimestamps,
            signatureDigest: handle.signatureDigest
        )
    }

    /// Whether the TLS feature extension holds status_request (RFC 7633 §4.2.3.1).
    private var mustStaple: Bool {
        handle.decoded(NID_tlsfeature) { features in
            let stack = OpaquePointer(features)
            defer { TLS_FEATURE_free(stack) }
            return (0..<max(0, OPENSSL_sk_num(stack))).contains { index in
                guard let feature = OPENSSL_sk_value(stack, index) else { return false }
                let number = UnsafePointer(feature.assumingMemoryBound(to: ASN1_INTEGER.self))
                return ASN1_INTEGER_get(number) == Int(TLSEXT_TYPE_status_request)
            }
        } ?? false
    }

    /// The kind and size of the key.
    private var keyKind: CertificateFacts.Key {
        OpenSSLQueue.quietly {
            guard let key = handle.publicKey else { return .other("unknown") }
            switch EVP_PKEY_get_base_id(key) {
            case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS: return .rsa(Int(EVP_PKEY_get_bits(key)))
            case EVP_PKEY_EC:
                var name = [CChar](repeating: 0, count: 64)
                guard EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 else {
                    return .other("EC with explicit parameters")
                }
                let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                return .curve(String(decoding: bytes, as: UTF8.self))
            default:
                let name = EVP_PKEY_get0_type_name(key).map { String(cString: $0) }
                return .other(name ?? "unknown")
            }
        }
    }

    /// The key as `SecKeyCopyExternalRepresentation` returns it: PKCS#1 RSAPublicKey, or the uncompressed point.
    ///
    /// In both cases these are the bytes in the BIT STRING of the SubjectPublicKeyInfo.
    private var rawKey: [UInt8]? {
        switch keyKind {
        case .rsa, .curve: keyBits
        case .other: nil
        }
    }
}
