/// AFNetworking's `AFSecurityPolicy`, as `-evaluateServerTrust:forDomain:` decides (docs/PINS.md#afnetworking).
package struct AFSecurityPolicy: TrustPolicy, Hashable {
    /// `AFSSLPinningMode`.
    package enum PinningMode: String, Hashable, Sendable, CaseIterable {
        /// The pinned certificates are ignored: the system decides.
        case none
        /// A key of the built chain must be the key of a pinned certificate.
        case publicKey
        /// The pinned certificates become the only anchors, and one must be in the chain.
        case certificate
    }

    /// A version of AFNetworking whose decisions differ.
    package enum Version: String, Hashable, Sendable, CaseIterable {
        /// 2.5.0: no host name is checked by default, every certificate of the chain must be pinned.
        case version250 = "2.5.0"
        /// 2.5.1: as 2.5.0, and without pinning nothing at all is validated.
        case version251 = "2.5.1"
        /// 2.5.2: as 2.5.0; validation without pinning is back, CVE-2015-3996 is still there.
        case version252 = "2.5.2"
        /// 4.0.1.
        case version4 = "4"

        /// The versions before 2.5.3, which checks the host name by default, and 2.6.0, from which on one
        /// pinned certificate suffices.
        package var isOld: Bool { self != .version4 }
    }

    /// `SSLPinningMode`.
    package var pinningMode: PinningMode
    /// Whether a chain that fails validation may pass.
    package var allowInvalidCertificates: Bool
    /// Whether the host name is compared; else the basic X.509 policy applies.
    package var validatesDomainName: Bool
    /// Whether every certificate of the chain must be pinned; before 2.6.0 only.
    package var validatesCertificateChain: Bool
    /// The pinned certificates.
    package var pinnedCertificates: [CertificateFacts]
    /// The version.
    package var version: Version

    /// `afnetworking`.
    package var mechanism: String { "afnetworking" }

    /// Creates a policy; what is `nil` is the version's default.
    ///
    /// - Parameters:
    ///   - pinningMode: What is pinned.
    ///   - allowInvalidCertificates: Whether a chain that fails validation may pass.
    ///   - validatesDomainName: Whether the host name is compared: from 2.5.3 on it is.
    ///   - validatesCertificateChain: Whether the whole chain must be pinned: before 2.6.0 it must.
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

    /// Guard, evaluation under the device's anchors, then pins, in the order of AFSecurityPolicy.m.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var evaluation = Evaluation(self, evidence, evaluator)
        return evaluation.judgement()
    }
}
