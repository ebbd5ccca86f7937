/// The TLS behaviour of a server.
///
/// With the defaults, the server is a good one.
package struct ServerOptions: Sendable {
    /// The oldest and the newest version to speak.
    package var versions: ClosedRange<TLSVersion>
    /// The weakest keys, signatures and ciphers that the server accepts and uses.
    package var strength: TLSStrength
    /// The CAs that client certificates must lead to; empty to ask for no client certificate.
    package var clientAnchors: [Certificate]
    /// Whether clients without such a certificate are refused, if the server asks for one.
    package var demandsClientCertificate = true
    /// The OCSP response, in DER, for clients that ask for one (RFC 6066 §8); `nil` for none.
    package var stapledResponse: [UInt8]?
    /// Whether the server answers the offer of application protocols (RFC 7301).
    package var selectsProtocols = true
    /// Whether clients get sessions that they can resume.
    package var givesSessions = true
    /// Whether sessions permit early data and the server reads it.
    ///
    /// Nothing here prevents a replay of early data.
    package var acceptsEarlyData = false
    /// The groups for key exchange in OpenSSL's notation (`P-384:P-521`); `nil` for the defaults of the build.
    package var groups: String?
    /// The kinds of signatures in OpenSSL's notation (`RSA-PSS+SHA256:ECDSA+SHA256`); `nil` for the defaults
    /// of the build.
    ///
    /// With a list, the server's order counts and not the client's.
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
