package import PinholeModel

/// The facts that a policy judges.
package struct Evidence: Sendable {
    /// The requested host in its canonical form; `nil` if there is none to check.
    ///
    /// Another spelling of an address must not lead past the pins of the address.
    package var host: Host? { didSet { host = host?.canonical } }
    /// The requested port.
    ///
    /// Trust on first use keeps a key for each port.
    package var port: UInt16 = 443
    /// The chain that the peer sent.
    package var presented: PresentedChain
    /// The CAs that the device trusts.
    package var anchors: [CertificateFacts]
    /// The SHA-256 of each anchor that the user installed.
    ///
    /// Some mechanisms treat these anchors differently.
    package var userAnchors: Set<[UInt8]> = []
    /// The SHA-256 of each further anchor that only this device trusts, so that its certificates need not be logged.
    package var localAnchors: Set<[UInt8]> = []
    /// The time of the judgement.
    package var time: Timestamp
    /// OpenSSL's security level (0 to 5) for keys and signatures.
    package var securityLevel = 2
    /// The rules by which paths are built and checked; `nil` for those of the policy.
    package var verifier: VerifierProfile?
    /// The stapled OCSP response in DER; `nil` if there is none.
    package var stapledResponse: [UInt8]?
    /// The certificate timestamps in ``stapledResponse``; `nil` if they are malformed.
    package var stapledTimestamps: [SignedTimestamp]? = []
    /// Certificate revocation lists in DER.
    package var revocationLists: [[UInt8]] = []
    /// The SignedCertificateTimestampList from the handshake (RFC 6962 §3.3); `nil` if there is none.
    package var signedTimestamps: [UInt8]?
    /// The logs of certificates that the device knows; `nil` if no list is known.
    package var logs: LogList?
    /// The result of the handshake; `nil` if there was none.
    package var connection: ConnectionFacts?

    /// Creates evidence.
    package init(
        host: Host?,
        presented: PresentedChain,
        anchors: [CertificateFacts],
        time: Timestamp
    ) {
        self.host = host?.canonical
        self.presented = presented
        self.anchors = anchors
        self.time = time
    }
}
