/// The certificates that a peer sent, in its order.
///
/// None of them is proven.
///
/// The type differs from ``ValidatedChain``, so a policy has to say which one it reads. Comparing pins with
/// the presented chain is CVE-2016-2402.
package struct PresentedChain: Hashable, Sendable {
    /// The certificates, leaf first.
    package let certificates: [CertificateFacts]

    /// Wraps the certificates that a peer sent.
    package init(_ certificates: [CertificateFacts]) { self.certificates = certificates }

    /// The certificate of the peer itself.
    package var leaf: CertificateFacts? { certificates.first }
}

/// A path that verification built (RFC 5280 §6).
package struct ValidatedChain: Hashable, Sendable {
    /// The certificates, leaf first, anchor last.
    package let certificates: [CertificateFacts]

    /// Wraps a path.
    ///
    /// Only a ``ChainEvaluator`` makes one.
    package init(_ certificates: [CertificateFacts]) { self.certificates = certificates }

    /// The certificate of the peer itself.
    package var leaf: CertificateFacts? { certificates.first }

    /// The anchor, which is the last certificate of the chain.
    package var anchor: CertificateFacts? { certificates.last }
}
