import COpenSSL
import PinholeModel
import PinholeTrust

/// Reads certificate revocation lists (RFC 5280 §5).
package enum RevocationList {
    /// Reads a file that holds lists in PEM or one list in DER.
    ///
    /// - Parameter bytes: The content of the file.
    /// - Returns: At least one list, in DER.
    /// - Throws: ``CryptoFailure`` when there is no list or a list is damaged.
    package static func parse(_ bytes: [UInt8]) throws(CryptoFailure) -> [[UInt8]] {
        if bytes.first == 0x30, bytes.dropFirst().first.map({ $0 >= 0x80 }) == true {
            _ = try RevocationListHandle(der: bytes)
            return [bytes]
        }
        let blocks = PEM.blocks(in: bytes).filter { $0.label == "X509 CRL" }
        var lists: [[UInt8]] = []
        for block in blocks {
            guard let content = block.content else {
                throw CryptoFailure("the list in line \(block.line) is damaged: no Base64 or no END line")
            }
            _ = try RevocationListHandle(der: content)
            lists.append(content)
        }
        guard !lists.isEmpty else {
            throw CryptoFailure("expected a revocation list in PEM (“-----BEGIN X509 CRL-----”) or DER")
        }
        return lists
    }
}

/// Looks up certificates in revocation lists.
struct RevocationListReader {
    let lists: [RevocationListHandle]
    /// Certificates that may have signed a list in place of an issuer (RFC 5280 §6.3.3 (f)).
    let others: [X509Handle]
    /// The anchor to which these certificates must lead; `nil` if there is none.
    let anchor: X509Handle?
    /// Whether OpenSSL's rules alone apply.
    let isOpenSSL: Bool

    /// Returns the revocation status of `certificate`, which `issuer` signed.
    ///
    /// OpenSSL chooses the list and checks its signature, its dates and its scope.
    func status(
        of certificate: X509Handle,
        issuer: X509Handle,
        at time: Timestamp
    ) -> (status: RevocationStatus, reason: String) {
        OpenSSLQueue.clear()
        defer { OpenSSLQueue.clear() }
        guard !lists.isEmpty else { return (.unknown, "no revocation list was given") }
        var error = anchor.map { wideError(certificate, below: $0, at: time) } ?? X509_V_ERR_UNSPECIFIED
        // The path may obey other rules than OpenSSL's; then the issuer's own lists are left.
        if !Self.isAnswer(error) { error = self.error(certificate, below: issuer, others: [], at: time).code }
        switch error {
        case X509_V_OK: return (.good, "")
        case X509_V_ERR_CERT_REVOKED:
            // OpenSSL does not report which list decided, so the first list with the certificate counts.
            let dates = lists.lazy.compactMap { list -> Timestamp?? in
                list.revocationDate(of: certificate, issuer: issuer)
            }
            return (.revoked(dates.first ?? nil), "")
        default:
            return (.unknown, X509_verify_cert_error_string(Int(error)).map { String(cString: $0) } ?? "")
        }
    }

    /// Whether an error is about revocation.
    private static func isAnswer(_ error: Int32) -> Bool {
        error == X509_V_OK || [.revoked, .revocationUnknown].contains(ChainFault.Kind(openSSL: error))
    }

    /// Checks the lists of other signers, too, whose certificates must not be revoked either (RFC 5280 §6.3.3 (f)).
    private func wideError(_ certificate: X509Handle, below anchor: X509Handle, at time: Timestamp) -> Int32 {
        let all = error(
            certificate,
            below: anchor,
            others: others,
            at: time,
            flags: X509_V_FLAG_CRL_CHECK_ALL
        )
        // An error above the certificate is about an authority, which has a finding of its own.
        guard all.depth == 0 else { return error(certificate, below: anchor, others: others, at: time).code }
        guard all.code == X509_V_ERR_CRL_PATH_VALIDATION_ERROR, !isOpenSSL else { return all.code }
        // The list of an indirect issuer may cover that issuer itself. OpenSSL ends there; RFC 5280 asks only
        // that no signer is known to be revoked.
        let isRevoked = others.prefix(64).contains { other in
            other.pointer != certificate.pointer
                && error(other, below: anchor, others: others, at: time).code == X509_V_ERR_CERT_REVOKED
        }
        return isRevoked ? all.code : error(certificate, below: anchor, others: others, at: time).code
    }

    private func error(
        _ certificate: X509Handle,
        below anchor: X509Handle,
        others: [X509Handle],
        at time: Timestamp,
        flags: Int32 = 0
    ) -> (code: Int32, depth: Int) {
        guard let store = try? TrustAnchors([anchor]) else { return (X509_V_ERR_OUT_OF_MEM, 0) }
        let all =
            flags | X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_CRL_CHECK | X509_V_FLAG_EXTENDED_CRL_SUPPORT
            | X509_V_FLAG_USE_DELTAS
        let result = withExtendedLifetime(store) {
            VerificationResult.of(certificate, among: others, below: store.pointer, lists: lists) {
                parameters in
                X509_VERIFY_PARAM_set_time(parameters, time_t(time.seconds))
                X509_VERIFY_PARAM_set_auth_level(parameters, 0)
                return X509_VERIFY_PARAM_set_flags(parameters, UInt(all)) == 1
            }
        }
        return result.map { ($0.error, $0.depth) } ?? (X509_V_ERR_OUT_OF_MEM, 0)
    }
}
