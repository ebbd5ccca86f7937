import COpenSSL
package import PinholeModel

extension Certificate {
    /// The serial number in upper-case hexadecimal, two digits a byte.
    package var serial: String {
        OpenSSLQueue.clear()
        defer { OpenSSLQueue.clear() }
        guard let serial = handle.serialNumber, let number = ASN1_INTEGER_to_BN(serial, nil) else {
            return ""
        }
        defer { BN_free(number) }
        guard let text = BN_bn2hex(number) else { return "" }
        defer { pinhole_OPENSSL_free(text) }
        return String(cString: text)
    }

    /// The start of the validity; the year 1 if the field is malformed.
    package var notBefore: Timestamp { handle.notBefore ?? Self.malformed }

    /// The end of the validity, itself included; the year 1 if the field is malformed.
    package var notAfter: Timestamp { handle.notAfter ?? Self.malformed }

    /// Whether the certificate may sign certificates: basicConstraints has CA:TRUE and keyUsage, if present,
    /// has keyCertSign.
    package var isAuthority: Bool { handle.isAuthority }

    /// The number of intermediate authorities that may follow below this one; `nil` for no limit.
    package var pathLength: Int? { handle.pathLength }

    /// Whether issuer and subject are the same and the certificate's own key made the signature.
    package var isSelfSigned: Bool { handle.isSelfSigned }

    /// The subjectKeyIdentifier as stored.
    package var subjectKeyIdentifier: [UInt8]? { handle.subjectKeyIdentifier }

    /// The keyIdentifier of the authorityKeyIdentifier as stored.
    package var authorityKeyIdentifier: [UInt8]? { handle.authorityKeyIdentifier }

    /// The SubjectPublicKeyInfo in DER, with the bytes that stand in the certificate.
    package var spki: [UInt8] { handle.spki ?? [] }

    /// The SHA-256 of the SubjectPublicKeyInfo.
    package var spkiSHA256: [UInt8] { Digest.sha256(spki) }

    /// The pin of the key: `sha256/` and the Base64 of ``spkiSHA256``.
    package var pin: String { "sha256/" + Base64.encode(spkiSHA256) }

    /// The SHA-256 of the whole certificate.
    package var fingerprintSHA256: [UInt8] { Digest.sha256(der) }

    /// The kind and size of the key in readable form: `P-256`, `RSA 2048`.
    package var keyDescription: String {
        OpenSSLQueue.quietly { describe(publicKey: handle.publicKey) }
    }

    /// The algorithm of the signature, as OpenSSL names it: `ecdsa-with-SHA256`.
    package var signatureAlgorithm: String { handle.signatureAlgorithm ?? "unknown" }

    /// The whole certificate in OpenSSL's text form.
    package var text: String { handle.text ?? "" }

    /// The bits whose SHA-1 is the subjectKeyIdentifier (RFC 5280 §4.2.1.2, method 1).
    var keyBits: [UInt8] { bytes(of: handle.keyBitString) ?? [] }

    private static let malformed = Timestamp(seconds: -62_135_596_800)
}
