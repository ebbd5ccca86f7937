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

/// Owns an `X509_CRL`.
final class RevocationListHandle {
    let pointer: OpaquePointer

    init(der: [UInt8]) throws(CryptoFailure) {
        OpenSSLQueue.clear()
        let parsed = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            guard let parsed = d2i_X509_CRL(nil, &cursor, buffer.count) else { return nil }
            guard cursor == buffer.baseAddress.map({ $0 + buffer.count }) else {
                X509_CRL_free(parsed)
                return nil
            }
            return parsed
        }
        guard let parsed else { throw .drainingQueue("expected one certificate revocation list in DER") }
        pointer = parsed
    }

    deinit { X509_CRL_free(pointer) }
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
        case X509_V_ERR_CERT_REVOKED: return (.revoked(date(of: certificate, issuer: issuer)), "")
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
    ) -> (code: Int32, depth: Int32) {
        let failure = (code: X509_V_ERR_OUT_OF_MEM, depth: Int32(0))
        guard let store = try? TrustAnchors([anchor]), let context = X509_STORE_CTX_new() else {
            return failure
        }
        defer { X509_STORE_CTX_free(context) }
        guard let stack = OPENSSL_sk_new_null(), let untrusted = OPENSSL_sk_new_null() else {
            return failure
        }
        defer {
            OPENSSL_sk_free(stack)
            OPENSSL_sk_free(untrusted)
        }
        for list in lists { OPENSSL_sk_push(stack, UnsafeRawPointer(list.pointer)) }
        for other in others { OPENSSL_sk_push(untrusted, UnsafeRawPointer(other.pointer)) }
        guard X509_STORE_CTX_init(context, store.pointer, certificate.pointer, untrusted) == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else { return failure }
        X509_STORE_CTX_set0_crls(context, stack)
        X509_VERIFY_PARAM_set_time(parameters, time_t(time.seconds))
        X509_VERIFY_PARAM_set_auth_level(parameters, 0)
        let all =
            flags | X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_CRL_CHECK | X509_V_FLAG_EXTENDED_CRL_SUPPORT
            | X509_V_FLAG_USE_DELTAS
        X509_VERIFY_PARAM_set_flags(parameters, UInt(all))
        guard X509_verify_cert(context) != 1 else { return (X509_V_OK, 0) }
        return (X509_STORE_CTX_get_error(context), X509_STORE_CTX_get_error_depth(context))
    }

    /// The date of revocation in a list of the issuer.
    ///
    /// OpenSSL does not report which list decided, so the first list with the certificate counts.
    private func date(of certificate: X509Handle, issuer: X509Handle) -> Timestamp? {
        for list in lists {
            var entry: OpaquePointer?
            guard
                X509_NAME_cmp(X509_CRL_get_issuer(list.pointer), X509_get_subject_name(issuer.pointer)) == 0,
                X509_CRL_get0_by_cert(list.pointer, &entry, certificate.pointer) == 1, let entry
            else { continue }
            return Timestamp(X509_REVOKED_get0_revocationDate(entry))
        }
        return nil
    }
}
