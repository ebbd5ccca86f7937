/// How a client behaves, whatever it pins.
struct ClientSemantics: Hashable, Sendable {
    /// What a client speaks that it should not.
    enum Offer: Hashable, Sendable, CaseIterable {
        /// TLS 1.0 and 1.1.
        case oldVersions
        /// Ciphers without a certificate.
        case anonymousCiphers
        /// Ciphers that do not encrypt.
        case cleartextCiphers
    }

    /// What it speaks that it should not.
    var offers: Set<Offer> = []
    /// Whether it refuses URLs with http.
    var refusesCleartext = false
    /// Whether it follows redirects from https to http.
    var followsDowngrade = false
    /// Whether it takes a resumed session as it is, and shares sessions with other clients.
    var trustsResumedSessions = false
    /// Whether it sends requests ahead of its judgement, over sessions that it shares with other clients.
    var asksEarly = false
    /// Whether it uses a connection for every host that the certificate names, without judging it again.
    var sharesConnectionsUnjudged = false
    /// Whether it asks a server that was refused once more by default handling.
    var asksAgainByDefault = false
    /// Whether it takes new pins from anybody.
    var takesAnyPins = false
    /// Whether it gives its password to whoever asks.
    var answersEverybody = false
    /// Whether it refuses servers that do not ask for its certificate.
    var insistsOnClientCertificate = false
    /// Whether it says over which connection it speaks.
    var bindsChannel = false

    /// Creates a client that does as most do.
    init() {}
}
