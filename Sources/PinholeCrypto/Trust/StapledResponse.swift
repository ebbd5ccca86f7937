import COpenSSL
import PinholeModel
import PinholeTrust

/// A short name for ``PinholeTrust/RevocationFinding/Status``.
typealias RevocationStatus = RevocationFinding.Status

/// An OCSP response that a server stapled (RFC 6960, RFC 6066 §8).
package struct StapledResponse {
    let der: [UInt8]
    /// The days for which a response without nextUpdate holds (RFC 6960 §2.4); `nil` if it never does.
    private let endlessDays: Int?
    /// Whether a response must be made while the certificate is valid.
    private let checksProduction: Bool

    /// Wraps a response.
    ///
    /// - Parameters:
    ///   - der: The response in DER.
    ///   - endlessDays: The days for which a good response without nextUpdate counts; `nil` if it never does.
    ///   - checksProduction: Whether producedAt must lie within the certificate's validity.
    package init(der: [UInt8], endlessDays: Int? = nil, checksProduction: Bool = false) {
        self.der = der
        self.checksProduction = checksProduction
        self.endlessDays = endlessDays
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

    /// The gravest of the entries about the certificate: revoked, else unknown, else good.
    private func entry(
        of leaf: X509Handle,
        issuer: X509Handle,
        in basic: OpaquePointer,
        at time: Timestamp
    ) -> (status: RevocationStatus, reason: String) {
        if Self.hasUnknownExtension(
            { OCSP_BASICRESP_get_ext_by_critical(basic, 1, $0) },
            { OCSP_BASICRESP_get_ext(basic, $0) }
        ) {
            return (.unknown, "the stapled OCSP response has an unknown critical extension")
        }
        guard !checksProduction || Self.isProduced(basic, within: leaf) else {
            return (.unknown, "the stapled OCSP response was made outside of the certificate's validity")
        }
        let answers = [EVP_sha1(), EVP_sha256(), EVP_sha384(), EVP_sha512()].flatMap { digest in
            Self.entries(of: leaf, issuer, digest, in: basic).map { self.status(of: $0, at: time) }
        }
        guard !answers.isEmpty else {
            return (.unknown, "the stapled OCSP response is about another certificate")
        }
        let revoked = answers.first { answer in
            if case .revoked = answer.status { return true }
            return false
        }
        return revoked ?? answers.first { $0.status == .unknown } ?? (.good, "")
    }

    private static func entries(
        of leaf: X509Handle,
        _ issuer: X509Handle,
        _ digest: OpaquePointer?,
        in basic: OpaquePointer
    ) -> [OpaquePointer] {
        guard let identifier = OCSP_cert_to_id(digest, leaf.pointer, issuer.pointer) else { return [] }
        defer { OCSP_CERTID_free(identifier) }
        var entries: [OpaquePointer] = []
        var place = OCSP_resp_find(basic, identifier, -1)
        while place >= 0, let entry = OCSP_resp_get0(basic, place) {
            entries.append(entry)
            place = OCSP_resp_find(basic, identifier, place)
        }
        return entries
    }

    private func status(
        of entry: OpaquePointer,
        at time: Timestamp
    ) -> (status: RevocationStatus, reason: String) {
        var revoked: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var this: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var next: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        let status = OCSP_single_get0_status(entry, nil, &revoked, &this, &next)
        if Self.hasUnknownExtension(
            { OCSP_SINGLERESP_get_ext_by_critical(entry, 1, $0) },
            { OCSP_SINGLERESP_get_ext(entry, $0) }
        ) {
            return (.unknown, "the stapled OCSP response has an unknown critical extension")
        }
        guard let begin = Timestamp(this), begin <= time else {
            return (.unknown, "the stapled OCSP response does not hold yet")
        }
        if status == V_OCSP_CERTSTATUS_REVOKED, next == nil { return (.revoked(Timestamp(revoked)), "") }
        let endless = endlessDays.map { begin + .seconds($0 * 86400) }
        guard let end = next == nil ? endless : Timestamp(next) else {
            return (.unknown, "the stapled OCSP response does not say how long it holds")
        }
        guard time < end else {
            return (
                .unknown, "the stapled OCSP response holds from \(begin.iso8601) to \(end.iso8601) only"
            )
        }
        switch status {
        case V_OCSP_CERTSTATUS_GOOD: return (.good, "")
        case V_OCSP_CERTSTATUS_REVOKED: return (.revoked(Timestamp(revoked)), "")
        default: return (.unknown, "the responder does not know the certificate")
        }
    }

    /// Whether a critical extension is neither a nonce nor a list of certificate timestamps.
    private static func hasUnknownExtension(
        _ next: (Int32) -> Int32,
        _ item: (Int32) -> OpaquePointer?
    ) -> Bool {
        var place = next(-1)
        while place >= 0 {
            let kind = item(place).map { OBJ_obj2nid(X509_EXTENSION_get_object($0)) }
            guard kind == NID_id_pkix_OCSP_Nonce || kind == NID_ct_cert_scts else { return true }
            place = next(place)
        }
        return false
    }

    /// Whether a response was made while the certificate was valid: an earlier one can know nothing about it.
    private static func isProduced(_ basic: OpaquePointer, within leaf: X509Handle) -> Bool {
        guard let time = Timestamp(OCSP_resp_get0_produced_at(basic)),
            let begin = Timestamp(X509_get0_notBefore(leaf.pointer)),
            let end = Timestamp(X509_get0_notAfter(leaf.pointer))
        else { return false }
        return begin <= time && time <= end
    }
}
