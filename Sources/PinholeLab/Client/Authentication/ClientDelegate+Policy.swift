package import PinholeTrust

extension ClientDelegate {
    /// The delegate of an app that pins: for the session, as Apple's precedence asks.
    ///
    /// `trusted` uses the trust as it is, `rejected` cancels, and what the policy has nothing to say about
    /// goes to default handling, as do the other challenges.
    ///
    /// - Parameters:
    ///   - policy: What the app judges by.
    ///   - answer: What it answers when a server or a proxy asks for a name and a password.
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
