package import PinholeModel

extension FlowRecord {
    /// The reason for the outcome in a sentence: the failed handshake's cause, the outcome, or the rule.
    package var remark: String {
        if let handshake = failedHandshake, let failure = handshake.failure {
            let certainty = failure.isHint ? "probably " : ""
            return
                "TLS with the \(handshake.peer.rawValue): \(certainty)\(failure.cause.rawValue): \(failure.detail)"
        }
        if outcome?.kind == .spare { return outcome?.detail ?? "" }
        if isFailed { return outcome.map { "\($0.kind.rawValue): \($0.detail)" } ?? "" }
        return reason ?? treatment?.rawValue ?? ""
    }
}
