package import PinholeCrypto
package import PinholeModel

/// A server of lesson 4, with the card that its owner published.
package struct ClassStation: Sendable {
    /// The state of a station; the raw value is the word that the task expects.
    package enum Role: String, Sendable, CaseIterable {
        /// The certificate of the card.
        case honest
        /// A newer certificate for the key of the card.
        case renewed
        /// The certificate of another host of the same owner.
        case wrongName = "wrongname"
        /// The certificate of the card, which has expired.
        case expired
        /// A certificate by the gateway of a company, whose CA the device trusts.
        case intercepted
        /// A certificate that a trusted CA issued to a stranger.
        case misissued

        /// The label of the key that a station with this role presents.
        func key(of host: Host) -> String {
            switch self {
            case .honest, .renewed, .expired: host.description
            case .wrongName: "other"
            case .intercepted: "gateway"
            case .misissued: "stranger \(host)"
            }
        }
    }

    /// The name of the station.
    package let host: Host
    /// The role that the seed gives to the station.
    package let role: Role
    /// The chain and the key that it presents.
    package let identity: Identity
    /// The certificate of its card.
    package let published: Certificate
}
