package import PinholeTrust

/// The chain and other evidence that a server presented, in this handshake or in the one whose session was resumed.
package struct ServerPresentation: Sendable {
    /// Its chain, leaf first.
    package var chain: [CertificateFacts]
    /// The stapled OCSP response in DER; `nil` for none.
    package var stapledResponse: [UInt8]?
    /// The SignedCertificateTimestampList of the handshake; `nil` for none.
    package var signedTimestamps: [UInt8]?
    /// The certificate timestamps from all sources.
    package var timestamps = TimestampCollection()
    /// Whether the evidence was kept with a session that was resumed.
    package var isFromSession = false
    /// Whether the evidence was presented for another host, whose connection may be shared.
    package var isShared = false

    /// Creates a presentation.
    package init(chain: [CertificateFacts] = []) { self.chain = chain }

    /// Whether the leaf asks for a staple (RFC 7633).
    package var mustStaple: Bool { chain.first?.mustStaple == true }
}
