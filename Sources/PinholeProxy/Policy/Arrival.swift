package import PinholeModel

/// Where a connection was going whose client does not tell.
package indirect enum Arrival: Sendable, Equatable {
    /// To this address, before the system led it here; or to the server whose port the listener is.
    case from(Authority)
    /// To the listener itself: nothing was redirected.
    case direct
    /// To this address, as one of the proxy's own connections to servers, which the system led back to it.
    case own(Authority)
}
