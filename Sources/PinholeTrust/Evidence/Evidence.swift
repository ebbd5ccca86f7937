package import PinholeModel

/// The facts that are put before a policy.
package struct Evidence: Sendable {
    /// The host that was asked for; `nil` where there is none to be checked.
    package var host: Host?
    /// The port that was asked for: trust on first use keeps a key for each.
    package var port: UInt16 = 443
    /// What the peer sent.
    package var presented: PresentedChain
    /// The CAs that the device trusts.
    package var anchors: [CertificateFacts]
    /// Of ``anchors``, those that the user installed, by SHA-256: some mechanisms let them pass.
    package var userAnchors: Set<[UInt8]> = []
    /// The moment of the judgement.
    package var time: Timestamp
    /// OpenSSL's security level (0 to 5) for keys and signatures.
    package var securityLevel = 2
    /// The stapled OCSP response in DER; `nil` for none.
    package var stapledResponse: [UInt8]?
    /// The certificate timestamps in ``stapledResponse``; `nil` where they are malformed.
    package var stapledTimestamps: [SignedTimestamp]? = []
    /// Certificate revocation lists in DER.
    package var revocationLists: [[UInt8]] = []
    /// The SignedCertificateTimestampList that came in the handshake (RFC 6962 §3.3); `nil` for none.
    package var signedTimestamps: [UInt8]?
    /// What the handshake agreed on; `nil` where there was none.
    package var connection: ConnectionFacts?

    /// Creates evidence.
    package init(
        host: Host?,
        presented: PresentedChain,
        anchors: [CertificateFacts],
        time: Timestamp
    ) {
        self.host = host
        self.presented = presented
        self.anchors = anchors
        self.time = time
    }
}
