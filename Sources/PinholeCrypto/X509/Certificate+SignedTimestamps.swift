import COpenSSL
package import PinholeTrust

extension Certificate {
    /// The signed certificate timestamps that are embedded in the certificate (RFC 6962 §3.3), unverified.
    ///
    /// Empty if the certificate has none, `nil` if the extension is malformed.
    package var signedTimestamps: [SignedTimestamp]? {
        guard let found = handle.firstExtension(NID_ct_precert_scts) else { return [] }
        return SignedTimestamp.list(in: found)
    }
}

extension SignedTimestamp {
    /// Reads an extension of a certificate or of an OCSP response; `nil` if it is malformed.
    static func list(in found: ExtensionQuestions) -> [SignedTimestamp]? {
        // The content is an OCTET STRING that holds the list.
        let inner = found.content?.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return OpenSSLQueue.quietly { d2i_ASN1_OCTET_STRING(nil, &cursor, buffer.count) }
        }
        guard let inner else { return nil }
        defer { ASN1_OCTET_STRING_free(inner) }
        return bytes(of: inner).flatMap { list($0) }
    }
}
