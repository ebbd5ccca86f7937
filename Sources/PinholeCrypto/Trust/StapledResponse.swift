import COpenSSL
import PinholeModel
import PinholeTrust

/// A short name for ``PinholeTrust/RevocationFinding/Status``.
typealias RevocationStatus = RevocationFinding.Status

/// An OCSP response that a server stapled (RFC 6960, RFC 6066 §8).
package struct StapledResponse {
    let der: [UInt8]
    /// Whether a response without nextUpdate holds at any time after thisUpdate (RFC 6960 §2.4).
    private let acceptsEndless: Bool

    /// Wraps a response.
    ///
    /// - Parameters:
    ///   - der: The response in DER.
    ///   - acceptsEndless: Whether a good response without nextUpdate counts.
    package init(der: [UInt8], acceptsEndless: Bool = false) {
        self.der = der
        self.acceptsEndless = acceptsEndless
    }

    /// Checks that the bytes are an OCSP response.
    ///
    /// The status, the certificate and the signature are checked later, when the response is judged.
    ///
    /// - Throws: ``CryptoFailure`` when the bytes are no OCSP response.
    package func check() throws(CryptoFailure) {
        OpenSSLQueue.clear()
        guard let response = parsed() else { throw .drainingQueue("expected one OCSP response in DER") }
        OCSP_RESPONSE_free(response)
    }

    /// Returns the revocation status of `leaf`, which `issuer` signed.
    ///
    /// The response is valid if the issuer or a responder with the issuer's delegation signed it, and if
    /// `time` lies between thisUpdate and nextUpdate. Without nextUpdate a good status is unknown, since the age
    /// of the response cannot be limited. A revocation counts also then: it is not taken back.
    func status(
        of leaf: X509Handle,
        issuer: X509Handle,
        at time: Timestamp
    ) -> (status: RevocationStatus, reason: String) {
        OpenSSLQueue.clear()
        defer { OpenSSLQueue.clear() }
        guard let response = parsed() else { return (.unknown, "the stapled OCSP response is malformed") }
        defer { OCSP_RESPONSE_free(response) }
        let code = OCSP_response_status(response)
        guard code == OCSP_RESPONSE_STATUS_SUCCESSFUL, let basic = OCSP_response_get1_basic(response) else {
            let name = OCSP_response_status_str(Int(code)).map { String(cString: $0) } ?? "status \(code)"
            return (.unknown, "the stapled OCSP response says only “\(name)”")
        }
        defer { OCSP_BASICRESP_free(basic) }
        guard isSigned(basic, issuer: issuer, at: time) else {
            let reasons = OpenSSLQueue.drain().map(\.text).joined(separator: "; ")
            return (.unknown, "the signature of the stapled OCSP response does not hold (\(reasons))")
        }
        return entry(of: leaf, issuer: issuer, in: basic, at: time)
    }

    /// The certificate timestamps in the response (RFC 6962 §3.3).
    ///
    /// Neither they nor the response are verified here.
    ///
    /// Empty if there are none, `nil` if they are malformed.
    var timestamps: [SignedTimestamp]? {
        OpenSSLQueue.clear()
        defer { OpenSSLQueue.clear() }
        guard let response = parsed() else { return [] }
        defer { OCSP_RESPONSE_free(response) }
        guard let basic = OCSP_response_get1_basic(response) else { return [] }
        defer { OCSP_BASICRESP_free(basic) }
        var found: [SignedTimestamp] = []
        for index in 0..<max(0, OCSP_resp_count(basic)) {
            guard let single = OCSP_resp_get0(basic, index) else { continue }
            let place = OCSP_SINGLERESP_get_ext_by_NID(single, NID_ct_cert_scts, -1)
            guard place >= 0, let value = OCSP_SINGLERESP_get_ext(single, place) else { continue }
            guard let list = SignedTimestamp.list(in: value) else { return nil }
            found += list
        }
        return found
    }

    private func parsed() -> OpaquePointer? {
        der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            guard let response = d2i_OCSP_RESPONSE(nil, &cursor, buffer.count) else { return nil }
            guard cursor == buffer.baseAddress.map({ $0 + buffer.count }) else {
                OCSP_RESPONSE_free(response)
                return nil
            }
            return response
        }
    }

    private func isSigned(_ basic: OpaquePointer, issuer: X509Handle, at time: Timestamp) -> Bool {
        guard let store = try? TrustAnchors([issuer]), let parameters = X509_STORE_get0_param(store.pointer),
            let others = OPENSSL_sk_new_null()
        else { return false }
        defer { OPENSSL_sk_free(others) }
        OPENSSL_sk_push(others, UnsafeRawPointer(issuer.pointer))
        X509_VERIFY_PARAM_set_time(parameters, time_t(time.seconds))
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        return OCSP_basic_verify(basic, others, store.pointer, 0) == 1
    }

    private func entry(
        of leaf: X509Handle,
        issuer: X509Handle,
        in basic: OpaquePointer,
        at time: Timestamp
    ) -> (status: RevocationStatus, reason: String) {
        var status: Int32 = 0
        var revoked: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var this: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var next: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        let isFound = [EVP_sha1(), EVP_sha256(), EVP_sha384(), EVP_sha512()].contains { digest in
            guard let identifier = OCSP_cert_to_id(digest, leaf.pointer, issuer.pointer) else { return false }
            defer { OCSP_CERTID_free(identifier) }
            return OCSP_resp_find_status(basic, identifier, &status, nil, &revoked, &this, &next) == 1
        }
        guard isFound else { return (.unknown, "the stapled OCSP response is about another certificate") }
        guard let begin = Timestamp(this), begin <= time else {
            return (.unknown, "the stapled OCSP response does not hold yet")
        }
        if status == V_OCSP_CERTSTATUS_REVOKED, next == nil { return (.revoked(Timestamp(revoked)), "") }
        if next != nil || !acceptsEndless {
            guard let end = Timestamp(next) else {
                return (.unknown, "the stapled OCSP response does not say how long it holds")
            }
            guard time < end else {
                return (
                    .unknown, "the stapled OCSP response holds from \(begin.iso8601) to \(end.iso8601) only"
                )
            }
        }
        switch status {
        case V_OCSP_CERTSTATUS_GOOD: return (.good, "")
        case V_OCSP_CERTSTATUS_REVOKED: return (.revoked(Timestamp(revoked)), "")
        default: return (.unknown, "the responder does not know the certificate")
        }
    }
}
