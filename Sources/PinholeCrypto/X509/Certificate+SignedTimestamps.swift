import COpenSSL
package import PinholeTrust

extension Certificate {
    /// The signed certificate timestamps that are embedded in the certificate (RFC 6962 §3.3), unverified.
    ///
    /// Empty if the certificate has none, `nil` if the extension is malformed.
    package var signedTimestamps: [SignedTimestamp]? {
        OpenSSLQueue.clear()
        defer { OpenSSLQueue.clear() }
        let index = X509_get_ext_by_NID(handle.pointer, NID_ct_precert_scts, -1)
        guard index >= 0, let found = X509_get_ext(handle.pointer, index) else { return [] }
        return SignedTimestamp.list(in: found)
    }
}

extension SignedTimestamp {
    /// Reads an extension of a certificate or of an OCSP response; `nil` if it is malformed.
    static func list(in found: OpaquePointer) -> [SignedTimestamp]? {
        guard let value = X509_EXTENSION_get_data(found), let data = ASN1_STRING_get0_data(value) else {
            return nil
        }
        // The value holds an OCTET STRING that holds the list.
        var cursor: UnsafePointer<UInt8>? = data
        guard let inner = d2i_ASN1_OCTET_STRING(nil, &cursor, Int(ASN1_STRING_length(value))) else {
            return nil
        }
        defer { ASN1_OCTET_STRING_free(inner) }
        guard let bytes = ASN1_STRING_get0_data(inner) else { return nil }
        let count = Int(max(0, ASN1_STRING_length(inner)))
        return list(Array(UnsafeBufferPointer(start: bytes, count: count)))
    }
}
