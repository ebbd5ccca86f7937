/// How a server behaves in TLS; without more it is a good one.
package struct ServerOptions: Sendable {
    /// The oldest and the newest version to speak.
    package var versions: ClosedRange<TLSVersion>
    /// How weak keys, signatures and ciphers may be, its own included.
    package var strength: TLSStrength
    /// Clients are asked for a certificate that leads to one of these CAs; empty to ask for none.
    package var clientAnchors: [Certificate]
    /// Whether clients without such a certificate are refused, where one is asked for.
    package var demandsClientCertificate = true
    /// The OCSP response, in DER, that clients get who ask for one (RFC 6066 §8); `nil` for none.
    package var stapledResponse: [UInt8]?
    /// Whether sessions permit early data, and it is read; it may be replayed, which nothing here prevents.
    package var acceptsEarlyData = false
    /// The groups for key exchange in OpenSSL's notation (`P-384:P-521`); `nil` for those of the build.
    package var groups: String?
    /// The kinds of signatures in OpenSSL's notation (`RSA-PSS+SHA256:ECDSA+SHA256`), which then count in this
    /// order and not in the client's; `nil` for those of the build.
    package var signatures: String?

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
