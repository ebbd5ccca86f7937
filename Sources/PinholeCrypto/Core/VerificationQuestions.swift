import COpenSSL
import PinholeModel

// Every question to OpenSSL about a verification, a revocation list or an OCSP response stands in this file, beside the
// condition under which its documentation allows it. RepositoryTests checks that no other file calls these functions.

/// The result of a verification, read right after `X509_verify_cert`.
///
/// Before that call, OpenSSL has neither a chain nor an error to report. The value holds copies, so nothing is asked
/// after the callback, or after the context was freed.
struct VerificationResult {
    /// Whether the chain is valid.
    let isValid: Bool
    /// The first error (`X509_V_ERR_…`); `X509_V_OK` if the chain is valid.
    let error: Int32
    /// The place in the chain that the error is about, 0 for the leaf.
    let depth: Int
    /// The certificate that the error is about; `nil` if there is none.
    let faulty: X509Handle?
    /// The chain, leaf first; incomplete, and possibly empty, unless it is valid.
    let chain: [X509Handle]

    fileprivate init(verifying context: OpaquePointer) {
        isValid = X509_verify_cert(context) == 1
        chain = X509Handle.list(in: X509_STORE_CTX_get0_chain(context))
        error = isValid ? X509_V_OK : X509_STORE_CTX_get_error(context)
        depth = isValid ? 0 : Int(X509_STORE_CTX_get_error_depth(context))
        let current = isValid ? nil : X509_STORE_CTX_get_current_cert(context)
        faulty = current.map { X509Handle(borrowing: $0) }
    }

    /// Verifies a certificate.
    ///
    /// - Parameters:
    ///   - certificate: The certificate at the lower end of the chain.
    ///   - presented: The certificates from which the chain may be built.
    ///   - store: The `X509_STORE` of the anchors, which has to outlive the call.
    ///   - lists: The revocation lists.
    ///   - setUp: Sets the parameters of the verification, and returns whether OpenSSL accepted them.
    /// - Returns: The result; `nil` if the verification could not be set up.
    static func of(
        _ certificate: X509Handle,
        among presented: [X509Handle],
        below store: OpaquePointer,
        lists: [RevocationListHandle] = [],
        _ setUp: (OpaquePointer) -> Bool
    ) -> VerificationResult? {
        withStack(of: presented.map(\.pointer)) { presented in
            withStack(of: lists.map(\.pointer)) { stack -> VerificationResult? in
                guard let context = X509_STORE_CTX_new() else { return nil }
                defer { X509_STORE_CTX_free(context) }
                // The parameters exist from here on.
                guard X509_STORE_CTX_init(context, store, certificate.pointer, presented) == 1,
                    let parameters = X509_STORE_CTX_get0_param(context), setUp(parameters)
                else { return nil }
                if !lists.isEmpty { X509_STORE_CTX_set0_crls(context, stack) }
                return VerificationResult(verifying: context)
            } ?? nil
        } ?? nil
    }
}

/// A verification that libssl asks its callback for.
///
/// The value must not leave the callback. libssl has already set the chain of the peer, the purpose and the host.
struct RequestedVerification {
    private let context: OpaquePointer

    init(insideCallback context: OpaquePointer) { self.context = context }

    /// The connection whose peer is verified; `nil` for a verification without a connection.
    var connection: OpaquePointer? {
        X509_STORE_CTX_get_ex_data(context, ConnectionQuestions.placeInVerification)
            .map { OpaquePointer($0) }
    }

    /// The chain as the peer presented it, leaf first.
    var presented: [X509Handle] { X509Handle.list(in: X509_STORE_CTX_get0_untrusted(context)) }

    /// Runs OpenSSL's own verification.
    func run() -> VerificationResult { VerificationResult(verifying: context) }

    /// Sets the result, from which libssl derives the alert.
    func setError(_ error: Int32) { X509_STORE_CTX_set_error(context, error) }
}

extension RevocationListHandle {
    /// Returns the date at which `issuer` revoked `certificate`.
    ///
    /// Condition: the list is the issuer's. The inner result is `nil` if the date is malformed, the outer one if the list
    /// does not hold the certificate.
    func revocationDate(of certificate: X509Handle, issuer: X509Handle) -> Timestamp?? {
        var entry: OpaquePointer?
        guard OpenSSLName.areEqual(X509_CRL_get_issuer(pointer), issuer.subjectName),
            // 2 means that the certificate is no longer on hold.
            X509_CRL_get0_by_cert(pointer, &entry, certificate.pointer) == 1, let entry
        else { return nil }
        return .some(Timestamp(X509_REVOKED_get0_revocationDate(entry)))
    }
}

/// A parsed OCSP response (RFC 6960 §4.2.1).
final class StatusResponse {
    private let pointer: OpaquePointer

    /// Parses a response; `nil` if the bytes are none, or others follow.
    init?(der: [UInt8]) {
        guard let pointer = parsed(der, by: d2i_OCSP_RESPONSE, release: OCSP_RESPONSE_free) else {
            return nil
        }
        self.pointer = pointer
    }

    deinit { OCSP_RESPONSE_free(pointer) }

    /// Whether the responder answered.
    var isSuccessful: Bool { OCSP_response_status(pointer) == OCSP_RESPONSE_STATUS_SUCCESSFUL }

    var statusName: String {
        let code = OCSP_response_status(pointer)
        return OCSP_response_status_str(Int(code)).map { String(cString: $0) } ?? "status \(code)"
    }

    /// The signed part; `nil` if there is none, it is of another type, or it is malformed.
    var basic: BasicStatusResponse? {
        OCSP_response_get1_basic(pointer).map { BasicStatusResponse(taking: $0) }
    }
}

/// The signed part of an OCSP response (BasicOCSPResponse).
final class BasicStatusResponse {
    private let pointer: OpaquePointer

    fileprivate init(taking pointer: OpaquePointer) { self.pointer = pointer }

    deinit { OCSP_BASICRESP_free(pointer) }

    /// The time at which the response was made; `nil` if the field is malformed.
    var producedAt: Timestamp? { Timestamp(OCSP_resp_get0_produced_at(pointer)) }

    /// The entries in their order.
    var entries: [StatusEntry] {
        (0..<max(0, OCSP_resp_count(pointer))).compactMap {
            StatusEntry(OCSP_resp_get0(pointer, $0), of: self)
        }
    }

    /// Whether a critical extension is neither a nonce nor a list of certificate timestamps.
    var hasUnknownExtension: Bool {
        hasUnknown(
            { OCSP_BASICRESP_get_ext_by_critical(pointer, 1, $0) },
            { ExtensionQuestions(OCSP_BASICRESP_get_ext(pointer, $0), of: self) }
        )
    }

    /// Returns the entries that name a certificate by hashes of this kind.
    func entries(about certificate: X509Handle, issuer: X509Handle, _ digest: OpaquePointer?) -> [StatusEntry]
    {
        guard let identifier = OCSP_cert_to_id(digest, certificate.pointer, issuer.pointer) else { return [] }
        defer { OCSP_CERTID_free(identifier) }
        var found: [StatusEntry] = []
        var place = OCSP_resp_find(pointer, identifier, -1)
        while place >= 0, let entry = StatusEntry(OCSP_resp_get0(pointer, place), of: self) {
            found.append(entry)
            place = OCSP_resp_find(pointer, identifier, place)
        }
        return found
    }

    /// Whether `issuer`, or a responder with its delegation, signed the response.
    ///
    /// A refusal leaves its reasons in the error queue. The call sets parameters of `store`, an `X509_STORE` that holds
    /// `issuer` and has to outlive the call.
    func isSigned(by issuer: X509Handle, below store: OpaquePointer, at time: Timestamp) -> Bool {
        guard let parameters = X509_STORE_get0_param(store) else { return false }
        X509_VERIFY_PARAM_set_time(parameters, time_t(time.seconds))
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        return withStack(of: [issuer.pointer]) { OCSP_basic_verify(pointer, $0, store, 0) == 1 } ?? false
    }
}

/// The status of one certificate in an OCSP response (SingleResponse).
struct StatusEntry {
    private let pointer: OpaquePointer
    /// The response that owns the entry.
    private let response: BasicStatusResponse

    /// The status (`V_OCSP_CERTSTATUS_…`).
    let status: Int32
    /// The time of the revocation; `nil` if the field is malformed, and for another status.
    let revoked: Timestamp?
    /// The time from which the status holds; `nil` if the field is malformed.
    let thisUpdate: Timestamp?
    /// Whether the entry says until when the status holds.
    let hasNextUpdate: Bool
    /// The time until which the status holds; `nil` if the field is missing or malformed.
    let nextUpdate: Timestamp?

    fileprivate init?(_ pointer: OpaquePointer?, of response: BasicStatusResponse) {
        guard let pointer else { return nil }
        self.pointer = pointer
        self.response = response
        // OpenSSL sets the time of the revocation for this status only.
        var revoked: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var this: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var next: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        status = OCSP_single_get0_status(pointer, nil, &revoked, &this, &next)
        self.revoked = Timestamp(revoked)
        thisUpdate = Timestamp(this)
        hasNextUpdate = next != nil
        nextUpdate = Timestamp(next)
    }

    /// The extension with certificate timestamps; `nil` if there is none.
    var timestamps: ExtensionQuestions? {
        let place = OCSP_SINGLERESP_get_ext_by_NID(pointer, NID_ct_cert_scts, -1)
        return place < 0 ? nil : ExtensionQuestions(OCSP_SINGLERESP_get_ext(pointer, place), of: response)
    }

    /// Whether a critical extension is neither a nonce nor a list of certificate timestamps.
    var hasUnknownExtension: Bool {
        hasUnknown(
            { OCSP_SINGLERESP_get_ext_by_critical(pointer, 1, $0) },
            { ExtensionQuestions(OCSP_SINGLERESP_get_ext(pointer, $0), of: response) }
        )
    }
}

/// Whether a critical extension is neither a nonce nor a list of certificate timestamps.
///
/// `next` returns the place of the next critical extension behind a place, or a negative number, and `item` the extension
/// at a place.
private func hasUnknown(_ next: (Int32) -> Int32, _ item: (Int32) -> ExtensionQuestions?) -> Bool {
    var place = next(-1)
    while place >= 0 {
        let kind = item(place)?.kind
        guard kind == NID_id_pkix_OCSP_Nonce || kind == NID_ct_cert_scts else { return true }
        place = next(place)
    }
    return false
}

/// Calls `body` with an OpenSSL stack of `pointers`; returns `nil` without a call if there is no memory.
private func withStack<Result>(of pointers: [OpaquePointer], _ body: (OpaquePointer) -> Result) -> Result? {
    guard let stack = OPENSSL_sk_new_null() else { return nil }
    defer { OPENSSL_sk_free(stack) }
    for pointer in pointers where OPENSSL_sk_push(stack, UnsafeRawPointer(pointer)) < 1 { return nil }
    return body(stack)
}
