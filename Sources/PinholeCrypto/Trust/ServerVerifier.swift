package import PinholeModel
package import PinholeTrust

/// Verifies the chains of servers by the rules of a platform, in the place of OpenSSL's own verification.
package final class ServerVerifier: Sendable {
    private let profile: VerifierProfile
    private let anchors: [CertificateFacts]
    private let allowsPartialChain: Bool
    private let clock: @Sendable () -> Timestamp
    private let chains = ChainVerifier()

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - profile: The rules.
    ///   - system: The CAs that are trusted as anchors.
    ///   - additional: Further certificates at which a path may end, also intermediates and leaves.
    ///   - clock: Reads the time.
    package init(
        _ profile: VerifierProfile,
        system: [Certificate],
        additional: [Certificate],
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.profile = profile
        anchors = (system + additional).map(\.facts)
        allowsPartialChain = !additional.isEmpty
        self.clock = clock
    }

    /// Creates a verifier for the system's CAs and the certificates in `files`.
    ///
    /// - Throws: ``CryptoFailure`` when a file cannot be read or holds no certificate.
    package convenience init(
        _ profile: VerifierProfile,
        systemAnd files: [String],
        systemPath: String?,
        clock: @escaping @Sendable () -> Timestamp
    ) throws(CryptoFailure) {
        let system = try systemPath.map { (path) throws(CryptoFailure) in
            try TrustBundle(path: path).certificates
        }
        var additional: [Certificate] = []
        for file in files { additional += try TrustBundle(path: file).certificates }
        self.init(profile, system: system ?? [], additional: additional, clock: clock)
    }

    /// Verifies a chain.
    ///
    /// - Parameters:
    ///   - presented: The chain as it was presented, leaf first.
    ///   - host: The host that the certificate must be for.
    /// - Returns: The path; or the fault, which names the platform.
    package func verify(
        _ presented: [Certificate],
        for host: Host
    ) -> (validated: [Certificate], fault: ServerFault?) {
        let evidence = Evidence(
            host: host,
            presented: PresentedChain(presented.map(\.facts)),
            anchors: anchors,
            time: clock()
        )
        var question = ChainQuestion(evidence, by: profile)
        question.allowsPartialChain = allowsPartialChain
        let answer = chains.evaluate(question)
        if let fault = answer.effectiveFault {
            // Faults that only this platform sees name it already.
            let name = "(verifier \(profile.name.rawValue))"
            let detail = fault.detail.contains(name) ? fault.detail : "\(fault.detail) \(name)"
            return ([], ServerFault(fault.kind.serverFault, detail))
        }
        return ((answer.path?.certificates ?? []).compactMap { try? Certificate(der: $0.der) }, nil)
    }
}

extension ChainFault.Kind {
    /// The kind of fault as the proxy tells it.
    fileprivate var serverFault: ServerFault.Kind {
        switch self {
        case .expired: .expired
        case .notYetValid: .notYetValid
        case .wrongName: .wrongName
        case .empty, .untrusted, .selfSigned: .untrusted
        case .revoked: .revoked
        case .badSignature, .notAuthority, .pathTooLong, .nameConstraints, .wrongPurpose, .weakKey,
            .weakSignature, .unknownExtension, .revocationUnknown, .notLogged, .malformed:
            .unacceptable
        }
    }
}
