import PinholeModel

extension AlamofireEvaluator {
    /// `AFError.serverTrustEvaluationFailed` with its reason (docs/PINS.md#alamofire).
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
