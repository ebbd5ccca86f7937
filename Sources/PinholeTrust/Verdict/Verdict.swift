/// The result of a policy.
///
/// The verdict is not a Bool, since a policy may have no verdict.
package enum Verdict: Hashable, Sendable {
    /// The peer is the intended one, as far as the policy can tell.
    case trusted
    /// The peer is not the intended one.
    case rejected(Rejection)
    /// The policy does not apply to this host or at this time, and default handling decides.
    case notApplicable(String)
}

/// The reason why a policy rejected a server.
package struct Rejection: Hashable, Sendable {
    /// The kind of a rejection.
    package enum Reason: Hashable, Sendable {
        /// The chain is faulty.
        case chain(ChainFault.Kind)
        /// No pin matches.
        case pinMismatch
        /// The policy has no pins, and its mechanism then refuses.
        case noPins
        /// The mechanism cannot work with its settings, as in the domain-name guard of AFSecurityPolicy.
        case contradictorySettings
        /// A key has a kind that the mechanism cannot hash.
        case unsupportedKey
        /// The host has no entry, and its mechanism then refuses.
        case unknownHost
        /// An earlier visit saw another key.
        case keyChanged
        /// The certificate or the connection is weaker than the mechanism requires.
        case tooWeak
        /// No policy of a combination trusts.
        case noneOf
    }

    /// The kind of the rejection.
    package let reason: Reason
    /// The reason in one or two sentences.
    ///
    /// For a mismatch, they contain the pins to copy.
    package let detail: String

    /// Creates a rejection.
    package init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}

extension Rejection.Reason {
    /// The kind as one word for programs, such as `pinMismatch`.
    package var code: String {
        switch self {
        case .chain(let kind): kind.rawValue
        case .pinMismatch: "pinMismatch"
        case .noPins: "noPins"
        case .contradictorySettings: "contradictorySettings"
        case .unsupportedKey: "unsupportedKey"
        case .unknownHost: "unknownHost"
        case .keyChanged: "keyChanged"
        case .tooWeak: "tooWeak"
        case .noneOf: "noneOf"
        }
    }

    /// The fault of the chain; `nil` if the chain is not the reason.
    package var chainFault: ChainFault.Kind? {
        guard case .chain(let kind) = self else { return nil }
        return kind
    }
}
