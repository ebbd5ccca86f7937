package import PinholeModel

/// Where a connection to a transparent listener was going.
package indirect enum Arrival: Sendable, Equatable {
    /// To this address, before the system led it here.
    case from(Authority)
    /// To the listener itself: nothing was redirected.
    case direct
    /// To this address, as one of the proxy's own connections to servers, which the system led back to it.
    case own(Authority)
}
