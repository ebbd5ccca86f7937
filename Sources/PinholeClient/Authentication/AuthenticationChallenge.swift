package import PinholeWire

/// A demand for authentication that a delegate answers: Apple's `URLAuthenticationChallenge`.
package struct AuthenticationChallenge: Sendable {
    /// The space that is protected, and the method of its authentication.
    package let protectionSpace: ProtectionSpace
    /// The credential that would be tried without a delegate: a stored one, or the one that failed; `nil` for none.
    package let proposedCredential: Credential?
    /// The number of failed attempts of this request, over all methods.
    package let previousFailureCount: Int
    /// The 401 or 407 that brought the challenge; `nil` for TLS.
    package let failureResponse: ResponseHead?
    /// The last failure of TLS or of the network; `nil` for none.
    package let error: ClientFailure?
    /// The server's chain; only in a challenge of the method `serverTrust`.
    package let serverTrust: ServerTrust?

    /// Creates a challenge.
    package init(
        _ protectionSpace: ProtectionSpace,
        proposedCredential: Credential? = nil,
        previousFailureCount: Int = 0,
        failureResponse: ResponseHead? = nil,
        error: ClientFailure? = nil,
        serverTrust: ServerTrust? = nil
    ) {
        self.protectionSpace = protectionSpace
        self.proposedCredential = proposedCredential
        self.previousFailureCount = previousFailureCount
        self.failureResponse = failureResponse
        self.error = error
        self.serverTrust = serverTrust
    }
}

/// The answer of a delegate to a challenge: Apple's `URLSession.AuthChallengeDisposition`.
package enum ChallengeDisposition: Sendable {
    /// Use the credential; `nil` continues without one.
    ///
    /// A trust is accepted as it is. So a credential made of a trust that was not evaluated accepts everything.
    case useCredential(Credential?)
    /// Do what the client does without a delegate.
    case performDefaultHandling
    /// Give up the whole request (-999).
    case cancelAuthenticationChallenge
    /// Refuse this protection space; the next one of the response is offered.
    case rejectProtectionSpace

    /// The name as Apple writes it.
    package var name: String {
        switch self {
        case .useCredential: "useCredential"
        case .performDefaultHandling: "performDefaultHandling"
        case .cancelAuthenticationChallenge: "cancelAuthenticationChallenge"
        case .rejectProtectionSpace: "rejectProtectionSpace"
        }
    }
}
