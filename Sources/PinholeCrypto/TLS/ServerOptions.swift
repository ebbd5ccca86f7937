/// How a server behaves in TLS; without more it is a good one.
package struct ServerOptions: Sendable {
    /// The oldest and the newest version to speak.
    package var versions: ClosedRange<TLSVersion>
    /// How weak keys, signatures and ciphers may be, its own included.
    package var strength: TLSStrength
    /// Clients have to present a certificate that leads to one of these CAs; empty to ask for none.
    package var clientAnchors: [Certificate]
    /// The OCSP response, in DER, that clients get who ask for one (RFC 6066 §8); `nil` for none.
    package var stapledResponse: [UInt8]?

    /// Creates options.
    package init(
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        strength: TLSStrength = .standard,
        clientAnchors: [Certificate] = [],
        stapledResponse: [UInt8]? = nil
    ) {
        self.versions = versions
        self.strength = strength
        self.clientAnchors = clientAnchors
        self.stapledResponse = stapledResponse
    }
}
