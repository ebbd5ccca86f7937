import PinholeModel

/// A policy with the behaviour of an Alamofire type that conforms to `ServerTrustEvaluating`
/// (docs/PINS.md#alamofire).
///
/// Evaluators share the SecTrust of a connection: anchors that one evaluator sets stay set for the next one
/// of a composite.
protocol AlamofireEvaluator: TrustPolicy {
    /// Evaluates the trust. Its changes of `trust` stay set.
    ///
    /// - Parameters:
    ///   - trust: The trust of the connection.
    ///   - builder: Receives the checks.
    /// - Returns: The rejection; `nil` if the evaluator does not throw.
    func evaluate(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) -> Judgement?
}

extension AlamofireEvaluator {
    /// True, since the library evaluates in the delegate of its session.
    package var isForDelegates: Bool { true }

    /// Evaluates the trust of a new connection.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var trust = SecTrustModel(evidence, evaluator)
        var builder = JudgementBuilder()
        return evaluate(&trust, &builder) ?? builder.trust()
    }
}

extension SecTrustModel {
    /// Evaluates like `performDefaultValidation(forHost:)`: with the SSL policy without a host.
    mutating func performDefaultValidation(_ builder: inout JudgementBuilder, isOn: Bool = true) -> Judgement?
    {
        let name = "default validation"
        guard isOn else {
            builder.skip(name, "performDefaultValidation is false")
            return nil
        }
        policy = .ssl(nil)
        let answer = evaluate()
        return builder.require(name, answer, to: question)
    }

    /// Evaluates like `performValidation(forHost:)`: with the SSL policy for the host.
    mutating func performHostValidation(_ builder: inout JudgementBuilder, isOn: Bool) -> Judgement? {
        let name = "host validation"
        guard isOn else {
            builder.skip(name, "validateHost is false: the certificate of any host passes")
            return nil
        }
        policy = .ssl(evidence.host)
        let answer = evaluate()
        return builder.require(name, answer, to: question)
    }
}

extension AlamofireEvaluator {
    /// The error `AFError.serverTrustEvaluationFailed` with its reason (docs/PINS.md#alamofire).
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        guard case .rejection(let rejection) = cause else { return nil }
        let pinning =
            self is AlamofirePublicKeysPolicy ? "publicKeyPinningFailed" : "certificatePinningFailed"
        let reason =
            switch rejection.reason {
            case .pinMismatch: pinning
            case .unknownHost: "noRequiredEvaluator"
            case .noPins: self is AlamofirePublicKeysPolicy ? "noPublicKeysFound" : "noCertificatesFound"
            case .chain(.wrongName): "hostValidationFailed"
            case .chain: "defaultEvaluationFailed"
            default: "trustEvaluationFailed"
            }
        return ReportedError("AFError", "serverTrustEvaluationFailed.\(reason)", rejection.detail)
    }
}

extension LintFinding {
    /// The findings about validations that the settings of an evaluator leave out.
    static func validations(
        _ performsDefault: Bool,
        _ validatesHost: Bool,
        _ pinned: [CertificateFacts]
    ) -> [LintFinding] {
        var findings: [LintFinding] = []
        if !performsDefault {
            findings.append(
                .invalidAllowed(
                    at: "performDefaultValidation",
                    "Chain and dates are not looked at beside the pins."
                )
            )
        }
        if !validatesHost, let authority = pinned.first(where: \.isAuthority) {
            findings.append(.authorityWithoutHost(authority, at: "validateHost"))
        }
        return findings
    }
}
