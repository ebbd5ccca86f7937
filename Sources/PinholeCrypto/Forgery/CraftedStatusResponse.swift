import COpenSSL
package import PinholeModel

/// An OCSP response about one certificate (RFC 6960 §4.2), which the lab's servers staple.
package struct CraftedStatusResponse: Sendable {
    /// The status of the certificate.
    package enum Status: Hashable, Sendable {
        /// The certificate is not revoked.
        case good
        /// The certificate was revoked at this time.
        case revoked(Timestamp)
        /// The responder does not know the certificate.
        case unknown
    }

    /// The status that the response states.
    package var status = Status.good
    /// The time from which the response is valid, which is also the time of its signature.
    package var thisUpdate: Timestamp
    /// The time until which the response is valid; `nil` leaves it out.
    package var nextUpdate: Timestamp?

    /// A SignedCertificateTimestampList about the certificate (RFC 6962 §3.3); `nil` for none.
    package var timestamps: [UInt8]?

    /// Creates a response that says “good”.
    package init(thisUpdate: Timestamp, nextUpdate: Timestamp?) {
        self.thisUpdate = thisUpdate
        self.nextUpdate = nextUpdate
    }

    /// Signs the response.
    ///
    /// - Parameters:
    ///   - certificate: The certificate that the response is about.
    ///   - issuer: The certificate's issuer, which the response names as the responder.
    ///   - key: The key that signs; a valid response needs the issuer's key.
    /// - Returns: The response in DER.
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses the certificates or the signature fails.
    package func signed(
        about certificate: Certificate,
        by issuer: Certificate,
        _ key: PrivateKey
    ) throws(CryptoFailure) -> [UInt8] {
        OpenSSLQueue.clear()
        guard
            let identifier = OCSP_cert_id_new(
                EVP_sha256(),
                issuer.handle.subjectName,
                issuer.handle.keyBitString,
                certificate.handle.serialNumber
            )
        else { throw .drainingQueue("could not name the certificate in an OCSP response") }
        defer { OCSP_CERTID_free(identifier) }
        guard let name = encoded(by: { i2d_OCSP_CERTID(identifier, $0) }) else {
            throw .drainingQueue("could not name the certificate in an OCSP response")
        }
        let single = ASN1.sequence(
            name,
            statusElement,
            ASN1.generalized(thisUpdate),
            nextUpdate.map { ASN1.context(0, holding: ASN1.generalized($0)) } ?? [],
            timestamps.map(Self.extensions) ?? []
        )
        let body = ASN1.sequence(
            // The responder is named by the SHA-1 of its key.
            ASN1.context(2, holding: ASN1.octets(Digest.sha1(issuer.keyBits))),
            ASN1.generalized(thisUpdate),
            ASN1.sequence(single)
        )
        let basic = ASN1.sequence(
            body,
            CraftedCertificate.algorithm(key, .sha256),
            ASN1.bits(try key.signature(over: body, digest: .sha256))
        )
        let kind = ASN1.identifier("1.3.6.1.5.5.7.48.1.1")
        return ASN1.sequence(
            ASN1.enumerated(0),
            ASN1.context(0, holding: ASN1.sequence(kind, ASN1.octets(basic)))
        )
    }

    private static func extensions(_ timestamps: [UInt8]) -> [UInt8] {
        let item = ASN1.sequence(
            ASN1.identifier("1.3.6.1.4.1.11129.2.4.5"),
            ASN1.octets(ASN1.octets(timestamps))
        )
        return ASN1.context(1, holding: ASN1.sequence(item))
    }

    private var statusElement: [UInt8] {
        switch status {
        case .good: ASN1.context(0, [])
        case .revoked(let moment): ASN1.context(1, holding: ASN1.generalized(moment))
        case .unknown: ASN1.context(2, [])
        }
    }
}
