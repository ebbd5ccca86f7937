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
        guard StatusResponse(der: der) != nil else {
            throw .drainingQueue("expected one OCSP response in DER")
        }
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
        guard let response = StatusResponse(der: der) else {
            return (.unknown, "the stapled OCSP response is malformed")
        }
        guard response.isSuccessful, let basic = response.basic else {
            return (.unknown, "the stapled OCSP response says only “\(response.statusName)”")
        }
        guard let store = try? TrustAnchors([issuer]),
            withExtendedLifetime(store, { basic.isSigned(by: issuer, below: store.pointer, at: time) })
        else {
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
        guard let basic = StatusResponse(der: der)?.basic else { return [] }
        var found: [SignedTimestamp] = []
        for value in basic.entries.compactMap(\.timestamps) {
            guard let list = SignedTimestamp.list(in: value) else { return nil }
            found += list
        }
        return found
    }

    /// The gravest of the entries about the certificate: revoked, else unknown, else good.
    private func entry(
        of leaf: X509Handle,
        issuer: X509Handle,
        in basic: BasicStatusResponse,
        at time: Timestamp
    ) -> (status: RevocationStatus, reason: String) {
        if basic.hasUnknownExtension {
            return (.unknown, "the stapled OCSP response has an unknown critical extension")
        }
        guard !checksProduction || Self.isProduced(basic, within: leaf) else {
            return (.unknown, "the stapled OCSP response was made outside of the certificate's validity")
        }
        let answers = [EVP_sha1(), EVP_sha256(), EVP_sha384(), EVP_sha512()].flatMap { digest in
            basic.entries(about: leaf, issuer: issuer, digest).map { self.status(of: $0, at: time) }
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

    private func status(
        of entry: StatusEntry,
        at time: Timestamp
    ) -> (status: RevocationStatus, reason: String) {
        if entry.hasUnknownExtension {
            return (.unknown, "the stapled OCSP response has an unknown critical extension")
        }
        guard let begin = entry.thisUpdate, begin <= time else {
            return (.unknown, "the stapled OCSP response does not hold yet")
        }
        if entry.status == V_OCSP_CERTSTATUS_REVOKED, !entry.hasNextUpdate {
            return (.revoked(entry.revoked), "")
        }
        let endless = endlessDays.map { begin + .seconds($0 * 86400) }
        guard let end = entry.hasNextUpdate ? entry.nextUpdate : endless else {
            return (.unknown, "the stapled OCSP response does not say how long it holds")
        }
        guard time < end else {
            return (
                .unknown, "the stapled OCSP response holds from \(begin.iso8601) to \(end.iso8601) only"
            )
        }
        switch entry.status {
        case V_OCSP_CERTSTATUS_GOOD: return (.good, "")
        case V_OCSP_CERTSTATUS_REVOKED: return (.revoked(entry.revoked), "")
        default: return (.unknown, "the responder does not know the certificate")
        }
    }

    /// Whether a response was made while the certificate was valid: an earlier one can know nothing about it.
    private static func isProduced(_ basic: BasicStatusResponse, within leaf: X509Handle) -> Bool {
        guard let time = basic.producedAt, let begin = leaf.notBefore, let end = leaf.notAfter else {
            return false
        }
        return begin <= time && time <= end
    }
}
