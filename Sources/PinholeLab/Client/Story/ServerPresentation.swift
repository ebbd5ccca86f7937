package import PinholeTrust

/// What a server presented of itself, in this handshake or in the one whose session was resumed.
package struct ServerPresentation: Sendable {
    /// Its chain, leaf first.
    package var chain: [CertificateFacts]
    /// The stapled OCSP response in DER; `nil` for none.
    package var stapledResponse: [UInt8]?
    /// The SignedCertificateTimestampList of the handshake; `nil` for none.
    package var signedTimestamps: [UInt8]?
    /// What is known of certificate timestamps, wherever they stood.
    package var timestamps = TimestampCollection()
    /// Whether it was kept with a session that was resumed.
    package var isFromSession = false
    /// Whether it was presented for another host, whose connection may be shared.
    package var isShared = false

    /// Creates a presentation.
    package init(chain: [CertificateFacts] = []) { self.chain = chain }

    /// Whether the leaf asks for a staple (RFC 7633).
    package var mustStaple: Bool { chain.first?.mustStaple == true }
}
