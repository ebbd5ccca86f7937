/// How a client behaves, whatever it pins.
package struct ClientSemantics: Hashable, Sendable {
    /// What a client speaks that it should not.
    package enum Offer: Hashable, Sendable, CaseIterable {
        /// TLS 1.0 and 1.1.
        case oldVersions
        /// Ciphers without a certificate.
        case anonymousCiphers
        /// Ciphers that do not encrypt.
        case cleartextCiphers
    }

    /// What it speaks that it should not.
    package var offers: Set<Offer> = []
    /// Whether it refuses URLs with http.
    package var refusesCleartext = false
    /// Whether it follows redirects from https to http.
    package var followsDowngrade = false
    /// Whether it takes a resumed session as it is, and shares sessions with other clients.
    package var trustsResumedSessions = false
    /// Whether it sends requests ahead of its judgement, over sessions that it shares with other clients.
    package var asksEarly = false
    /// Whether it uses a connection for every host that the certificate names, without judging it again.
    package var sharesConnectionsUnjudged = false
    /// Whether it asks a server that was refused once more by default handling.
    package var asksAgainByDefault = false
    /// Whether it takes new pins from anybody.
    package var takesAnyPins = false
    /// Whether it gives its password to whoever asks.
    package var answersEverybody = false
    /// Whether it refuses servers that do not ask for its certificate.
    package var insistsOnClientCertificate = false
    /// Whether it says over which connection it speaks.
    package var bindsChannel = false

    /// Creates a client that does as most do.
    package init() {}
}
