import COpenSSL
package import PinholeModel

extension Certificate {
    /// The serial number in upper-case hexadecimal, two digits a byte.
    package var serial: String {
        OpenSSLQueue.clear()
        defer { OpenSSLQueue.clear() }
        guard let number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(handle.pointer), nil) else { return "" }
        defer { BN_free(number) }
        guard let text = BN_bn2hex(number) else { return "" }
        defer { pinhole_OPENSSL_free(text) }
        return String(cString: text)
    }

    /// The start of the validity; the year 1 if the field is malformed.
    package var notBefore: Timestamp {
        Timestamp(X509_get0_notBefore(handle.pointer)) ?? Self.malformed
    }

    /// The end of the validity, itself included; the year 1 if the field is malformed.
    package var notAfter: Timestamp {
        Timestamp(X509_get0_notAfter(handle.pointer)) ?? Self.malformed
    }

    /// Whether the certificate may sign certificates: basicConstraints has CA:TRUE and keyUsage, if present,
    /// has keyCertSign.
    package var isAuthority: Bool { OpenSSLQueue.quietly { X509_check_ca(handle.pointer) == 1 } }

    /// The number of intermediate authorities that may follow below this one; `nil` for no limit.
    package var pathLength: Int? {
        let length = OpenSSLQueue.quietly { X509_get_pathlen(handle.pointer) }
        return length < 0 ? nil : Int(length)
    }

    /// Whether issuer and subject are the same and the certificate's own key made the signature.
    package var isSelfSigned: Bool {
        OpenSSLQueue.quietly { X509_self_signed(handle.pointer, 1) == 1 }
    }

    /// The subjectKeyIdentifier as stored.
    package var subjectKeyIdentifier: [UInt8]? {
        OpenSSLQueue.quietly { Self.bytes(X509_get0_subject_key_id(handle.pointer)) }
    }

    /// The keyIdentifier of the authorityKeyIdentifier as stored.
    package var authorityKeyIdentifier: [UInt8]? {
        OpenSSLQueue.quietly { Self.bytes(X509_get0_authority_key_id(handle.pointer)) }
    }

    /// The SubjectPublicKeyInfo in DER, with the bytes that stand in the certificate.
    package var spki: [UInt8] {
        OpenSSLQueue.quietly {
            encoded { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(handle.pointer), $0) } ?? []
        }
    }

    /// The SHA-256 of the SubjectPublicKeyInfo.
    package var spkiSHA256: [UInt8] { Digest.sha256(spki) }

    /// The pin of the key: `sha256/` and the Base64 of ``spkiSHA256``.
    package var pin: String { "sha256/" + Base64.encode(spkiSHA256) }

    /// The SHA-256 of the whole certificate.
    package var fingerprintSHA256: [UInt8] { Digest.sha256(der) }

    /// The kind and size of the key in readable form: `P-256`, `RSA 2048`.
    package var keyDescription: String {
        OpenSSLQueue.quietly { describe(publicKey: X509_get0_pubkey(handle.pointer)) }
    }

    /// The algorithm of the signature, as OpenSSL names it: `ecdsa-with-SHA256`.
    package var signatureAlgorithm: String {
        OBJ_nid2ln(X509_get_signature_nid(handle.pointer)).map { String(cString: $0) } ?? "unknown"
    }

    /// The whole certificate in OpenSSL's text form.
    package var text: String {
        OpenSSLQueue.quietly {
            MemoryBIO.text { X509_print_ex($0, handle.pointer, pinhole_XN_FLAG_READABLE, 0) } ?? ""
        }
    }

    /// The bits whose SHA-1 is the subjectKeyIdentifier (RFC 5280 §4.2.1.2, method 1).
    var keyBits: [UInt8] {
        guard let bits = X509_get0_pubkey_bitstr(handle.pointer) else { return [] }
        return Self.bytes(bits) ?? []
    }

    private static let malformed = Timestamp(seconds: -62_135_596_800)

    private static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8]? {
        guard let string, let data = ASN1_STRING_get0_data(string) else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: Int(max(0, ASN1_STRING_length(string)))))
    }
}
