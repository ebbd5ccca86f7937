package import PinholeTrust

extension ClientDelegate {
    /// Makes the delegate of an app that pins: a handler for the session, as Apple's precedence asks.
    ///
    /// A trusted chain is used as it is, and a rejected one cancels the request. Servers that the policy has nothing to
    /// say about go to default handling, as do the other challenges.
    ///
    /// - Parameters:
    ///   - policy: The policy of the app.
    ///   - answer: The answer to a demand for a name and a password.
    /// - Returns: The delegate.
    package static func judging(by policy: any TrustPolicy, answer: Handler? = nil) -> ClientDelegate {
        ClientDelegate(
            session: { challenge in
                guard let trust = challenge.serverTrust else { return .performDefaultHandling }
                return switch trust.evaluate(policy).verdict {
                case .trusted: .useCredential(Credential(trust: trust))
                case .rejected: .cancelAuthenticationChallenge
                case .notApplicable: .performDefaultHandling
                }
            },
            task: answer
        )
    }
}
