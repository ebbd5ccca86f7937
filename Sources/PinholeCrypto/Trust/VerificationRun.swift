import COpenSSL
import PinholeModel
import PinholeTrust

/// A single verification by OpenSSL.
struct VerificationRun {
    let question: ChainQuestion
    /// The parsed form of the presented certificates, in their order.
    let presented: [X509Handle]
    let anchors: AnchorSet

    /// Builds the path and checks it.
    func answer() throws(ChainFault) -> ChainAnswer {
        OpenSSLQueue.clear()
        defer { OpenSSLQueue.clear() }
        guard let leaf = presented.first, let context = X509_STORE_CTX_new() else {
            throw Self.refused("no memory for a verification")
        }
        defer { X509_STORE_CTX_free(context) }
        guard let untrusted = OPENSSL_sk_new_null() else {
            throw Self.refused("no memory for a verification")
        }
        defer { OPENSSL_sk_free(untrusted) }
        for handle in presented { OPENSSL_sk_push(untrusted, UnsafeRawPointer(handle.pointer)) }
        guard X509_STORE_CTX_init(context, anchors.store.pointer, leaf.pointer, untrusted) == 1,
            let parameters = X509_STORE_CTX_get0_param(context), setUp(parameters)
        else { throw Self.refused("the verification could not be set up") }
        let isValid = X509_verify_cert(context) == 1
        let chain = X509_STORE_CTX_get0_chain(context)
        let pointers = (0..<pinhole_sk_X509_num(chain)).compactMap { pinhole_sk_X509_value(chain, $0) }
        let built = pointers.compactMap(facts(of:))
        if isValid { return ChainAnswer(path: ValidatedChain(built)) }
        let error = X509_STORE_CTX_get_error(context)
        let current = X509_STORE_CTX_get_current_cert(context)
        let unreadable = unreadable(error, above: current)
        let depth = Int(X509_STORE_CTX_get_error_depth(context))
        let fault = ChainFault(
            error: unreadable == nil ? error : X509_V_ERR_INVALID_EXTENSION,
            depth: unreadable == nil || unreadable == current ? depth : depth + 1,
            certificate: (unreadable ?? current).flatMap(facts(of:)),
            question: question,
            built: built
        )
        let proven = Self.proven(pointers).compactMap(facts(of:))
        return ChainAnswer(
            fault: fault,
            built: proven.isEmpty ? Array(question.presented.certificates.prefix(1)) : proven
        )
    }

    /// The chain from the leaf up to the last certificate whose key signed the one below it.
    ///
    /// OpenSSL finds issuers by name and verifies signatures at the end; SecTrust drops a path as soon as a
    /// signature does not verify. So a CA is left out if a leaf only claims to be issued by it.
    private static func proven(_ chain: [OpaquePointer]) -> ArraySlice<OpaquePointer> {
        let forged = zip(chain, chain.dropFirst()).enumerated().first { _, link in
            guard let key = X509_get0_pubkey(link.1) else { return true }
            return X509_verify(link.0, key) != 1
        }
        return chain.prefix(forged.map { $0.offset + 1 } ?? chain.count)
    }

    /// The certificate with the malformed extension if an issuer seems to be missing: the subject or the
    /// issuer; `nil` if both are well-formed.
    ///
    /// OpenSSL looks for issuers only among the certificates that it understands, so it reports a malformed
    /// issuer as missing.
    private func unreadable(_ error: Int32, above subject: OpaquePointer?) -> OpaquePointer? {
        guard let subject,
            error == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT
                || error == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
                || error == X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE
        else { return nil }
        let issuers = presented.map(\.pointer).filter { candidate in
            X509_NAME_cmp(X509_get_subject_name(candidate), X509_get_issuer_name(subject)) == 0
        }
        return ([subject] + issuers).first { candidate in
            X509_get_extension_flags(candidate) & UInt32(EXFLAG_INVALID) != 0
        }
    }

    private func setUp(_ parameters: OpaquePointer) -> Bool {
        var flags = question.verifier.name == .openssl ? 0 : UInt(X509_V_FLAG_X509_STRICT)
        if question.allowsPartialChain { flags |= UInt(X509_V_FLAG_PARTIAL_CHAIN) }
        X509_VERIFY_PARAM_set_time(parameters, time_t(question.time.seconds))
        X509_VERIFY_PARAM_set_auth_level(parameters, Int32(clamping: max(0, min(5, question.securityLevel))))
        let leaf = question.verifier.leaf
        X509_VERIFY_PARAM_set_hostflags(
            parameters,
            (leaf.commonName == .ignored ? UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT) : 0)
                | (leaf.wildcards == .wholeLabel ? UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS) : 0)
        )
        guard X509_VERIFY_PARAM_set_flags(parameters, flags) == 1 else { return false }
        if question.requiresServerPurpose,
            X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_SERVER) != 1
        {
            return false
        }
        switch question.host {
        case nil: return true
        case .name(let name):
            return X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count) == 1
        case .address(let address):
            return X509_VERIFY_PARAM_set1_ip(parameters, address.bytes, address.bytes.count) == 1
        }
    }

    /// The facts of a certificate of the path.
    ///
    /// OpenSSL returns the same objects that it was given, so they are found by address.
    private func facts(of pointer: OpaquePointer) -> CertificateFacts? {
        if let index = presented.firstIndex(where: { $0.pointer == pointer }) {
            return question.presented.certificates[index]
        }
        return anchors.facts(of: pointer) ?? (try? Certificate(borrowing: pointer))?.facts
    }

    private static func refused(_ attempt: String) -> ChainFault {
        ChainFault(.malformed, depth: nil, CryptoFailure.drainingQueue(attempt).description)
    }
}
