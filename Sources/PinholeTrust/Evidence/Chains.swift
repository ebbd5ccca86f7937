/// The certificates that a peer sent, in its order: claims, of which none is proven.
///
/// It is another type than ``ValidatedChain`` so that a policy has to say which one it reads: comparing
/// pins with what was merely presented is CVE-2016-2402.
package struct PresentedChain: Hashable, Sendable {
    /// What was sent, leaf first.
    package let certificates: [CertificateFacts]

    /// Wraps what was sent.
    package init(_ certificates: [CertificateFacts]) { self.certificates = certificates }

    /// The certificate of the peer itself.
    package var leaf: CertificateFacts? { certificates.first }
}

/// A path that verification built (RFC 5280 §6).
package struct ValidatedChain: Hashable, Sendable {
    /// Leaf first, anchor last.
    package let certificates: [CertificateFacts]

    /// Wraps a path; only a ``ChainEvaluator`` makes one.
    package init(_ certificates: [CertificateFacts]) { self.certificates = certificates }

    /// The certificate of the peer itself.
    package var leaf: CertificateFacts? { certificates.first }

    /// The anchor.
    package var anchor: CertificateFacts? { certificates.last }
}
