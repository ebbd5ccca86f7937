package import PinholeModel

/// AFNetworking's `AFSecurityPolicy`, with the decisions of `-evaluateServerTrust:forDomain:`
/// (docs/PINS.md#afnetworking).
package struct AFSecurityPolicy: TrustPolicy, Hashable {
    /// The values of `AFSSLPinningMode`.
    package enum PinningMode: String, Hashable, Sendable, CaseIterable {
        /// The pinned certificates are ignored, and the system decides.
        case none
        /// A key of the built chain must be the key of a pinned certificate.
        case publicKey
        /// The pinned certificates become the only anchors, and one must be in the chain.
        case certificate
    }

    /// A version of AFNetworking with different decisions.
    package enum Version: String, Hashable, Sendable, CaseIterable {
        /// Version 2.5.0: no host name is checked by default, and every certificate of the chain must be pinned.
        case version250 = "2.5.0"
        /// Version 2.5.1: like 2.5.0, but without pinning nothing is validated.
        case version251 = "2.5.1"
        /// Version 2.5.2: like 2.5.0. Validation without pinning is back, but CVE-2015-3996 is still present.
        case version252 = "2.5.2"
        /// Version 4.0.1.
        case version4 = "4"

        /// Whether the version is before 2.5.3, which checks the host name by default, and before 2.6.0, from
        /// which on one pinned certificate is enough.
        package var isOld: Bool { self != .version4 }
    }

    /// The value of `SSLPinningMode`.
    package var pinningMode: PinningMode
    /// Whether a chain that fails validation may pass.
    package var allowInvalidCertificates: Bool
    /// Whether the host name is checked.
    ///
    /// If not, the basic X.509 policy applies.
    package var validatesDomainName: Bool
    /// Whether every certificate of the chain must be pinned; only before 2.6.0.
    package var validatesCertificateChain: Bool
    /// The certificates that the app ships as pins.
    package var pinnedCertificates: [CertificateFacts]
    /// The version of AFNetworking whose rules apply.
    package var version: Version

    /// The name `afnetworking`.
    package var mechanism: String { "afnetworking" }
    /// True, since an app makes these checks itself or by a library.
    package var isForDelegates: Bool { true }

    /// Creates a policy.
    ///
    /// `nil` stands for the version's default.
    ///
    /// - Parameters:
    ///   - pinningMode: The pinning mode.
    ///   - allowInvalidCertificates: Whether a chain that fails validation may pass.
    ///   - validatesDomainName: Whether the host name is checked; the default is `true` from 2.5.3 on.
    ///   - validatesCertificateChain: Whether the whole chain must be pinned; the default is `true` before 2.6.0.
    ///   - pinnedCertificates: The pinned certificates.
    ///   - version: The version.
    package init(
        pinningMode: PinningMode = .none,
        allowInvalidCertificates: Bool = false,
        validatesDomainName: Bool? = nil,
        validatesCertificateChain: Bool? = nil,
        pinnedCertificates: [CertificateFacts] = [],
        version: Version = .version4
    ) {
        self.pinningMode = pinningMode
        self.allowInvalidCertificates = allowInvalidCertificates
        self.validatesDomainName = validatesDomainName ?? !version.isOld
        self.validatesCertificateChain = validatesCertificateChain ?? version.isOld
        self.pinnedCertificates = pinnedCertificates
        self.version = version
    }

    /// Runs the guard, the evaluation with the device's anchors, and then the pins, in the order of
    /// AFSecurityPolicy.m.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var evaluation = Evaluation(self, evidence, evaluator)
        return evaluation.judgement()
    }
}

extension AFSecurityPolicy {
    /// The single error that the manager stores for every refusal (`AFURLSessionManager.m`).
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        guard case .rejection(let rejection) = cause else { return nil }
        return ReportedError("NSURLErrorDomain", -1202, "serverCertificateUntrusted", rejection.detail)
    }
}
