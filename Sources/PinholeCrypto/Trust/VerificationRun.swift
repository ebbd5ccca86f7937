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
        guard let leaf = presented.first,
            let result = VerificationResult.of(leaf, among: presented, below: anchors.store.pointer, setUp)
        else { throw Self.refused("the verification could not be set up") }
        let built = result.chain.compactMap(facts(of:))
        if result.isValid { return ChainAnswer(path: ValidatedChain(built)) }
        let unreadable = unreadable(result)
        let isAbove = unreadable != nil && unreadable?.pointer != result.faulty?.pointer
        let fault = ChainFault(
            error: unreadable == nil ? result.error : X509_V_ERR_INVALID_EXTENSION,
            depth: isAbove ? result.depth + 1 : result.depth,
            certificate: (unreadable ?? result.faulty).flatMap(facts(of:)),
            question: question,
            built: built
        )
        let proven = Self.proven(result.chain).compactMap(facts(of:))
        return ChainAnswer(
            fault: fault,
            built: proven.isEmpty ? Array(question.presented.certificates.prefix(1)) : proven
        )
    }

    /// The chain from the leaf up to the last certificate whose key signed the one below it.
    ///
    /// OpenSSL finds issuers by name and verifies signatures at the end; SecTrust drops a path as soon as a
    /// signature does not verify. So a CA is left out if a leaf only claims to be issued by it.
    private static func proven(_ chain: [X509Handle]) -> ArraySlice<X509Handle> {
        let forged = zip(chain, chain.dropFirst()).enumerated().first { !$1.0.isSigned(by: $1.1) }
        return chain.prefix(forged.map { $0.offset + 1 } ?? chain.count)
    }

    /// The certificate with the malformed extension if an issuer seems to be missing: the subject or the
    /// issuer; `nil` if both are well-formed.
    ///
    /// OpenSSL looks for issuers only among the certificates that it understands, so it reports a malformed
    /// issuer as missing.
    private func unreadable(_ result: VerificationResult) -> X509Handle? {
        guard let subject = result.faulty,
            result.error == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT
                || result.error == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
                || result.error == X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE
        else { return nil }
        let issuers = presented.filter { candidate in
            OpenSSLName.areEqual(candidate.subjectName, subject.issuerName)
        }
        return ([subject] + issuers).first { $0.hasInvalidExtension }
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
    private func facts(of handle: X509Handle) -> CertificateFacts? {
        if let index = presented.firstIndex(where: { $0.pointer == handle.pointer }) {
            return question.presented.certificates[index]
        }
        return anchors.facts(of: handle.pointer) ?? (try? Certificate(borrowing: handle.pointer))?.facts
    }

    private static func refused(_ attempt: String) -> ChainFault {
        ChainFault(.malformed, depth: nil, CryptoFailure.drainingQueue(attempt).description)
    }
}
