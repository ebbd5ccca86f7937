/// What a policy says about evidence; never a Bool.
package enum Verdict: Hashable, Sendable {
    /// The peer is the one that was meant, as far as the policy can tell.
    case trusted
    /// It is not.
    case rejected(Rejection)
    /// The policy has nothing to say about this host or at this time; default handling decides.
    case notApplicable(String)
}

/// Why a policy rejected.
package struct Rejection: Hashable, Sendable {
    /// The reason as a closed case.
    package enum Reason: Hashable, Sendable {
        /// The chain is faulty.
        case chain(ChainFault.Kind)
        /// No pin matches.
        case pinMismatch
        /// The policy has no pins, and its mechanism refuses then.
        case noPins
        /// The mechanism cannot work with its settings; the domain-name guard of AFSecurityPolicy.
        case contradictorySettings
        /// A key of a kind that the mechanism cannot hash.
        case unsupportedKey
        /// The host has no entry, and its mechanism refuses then.
        case unknownHost
        /// An earlier visit saw another key.
        case keyChanged
        /// The certificate or the connection is weaker than the mechanism asks for.
        case tooWeak
        /// Fewer logs than asked for have signed that they know the certificate.
        case notLogged
        /// No policy of a combination trusts.
        case noneOf
    }

    /// The reason.
    package let reason: Reason
    /// One or two sentences for people; a mismatch holds the pins to paste.
    package let detail: String

    /// Creates a rejection.
    package init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}

extension Rejection.Reason {
    /// The reason as one word for machines, such as `pinMismatch`.
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
        case .notLogged: "notLogged"
        case .noneOf: "noneOf"
        }
    }

    /// What is wrong with the chain; `nil` where it is not the chain.
    package var chainFault: ChainFault.Kind? {
        guard case .chain(let kind) = self else { return nil }
        return kind
    }
}
