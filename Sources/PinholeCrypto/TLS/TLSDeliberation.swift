import COpenSSL
package import PinholeTrust

/// A question that a handshake stops for, so that code outside can take time to answer.
///
/// A callback of OpenSSL must answer at once, but a person, or a delegate that asks a server, cannot. So the
/// callback records a question here and lets the call return (`SSL_ERROR_WANT_RETRY_VERIFY`,
/// `SSL_ERROR_WANT_X509_LOOKUP`). After the answer, the handshake is called again. Nothing is sent to the
/// peer in between.
package enum TLSQuestion: Hashable, Sendable {
    /// The question whether the server's chain is accepted.
    case serverCertificate
    /// The question which certificate to send to the server.
    case clientCertificate
}

/// The open question of one handshake and the answers so far.
struct TLSDeliberation {
    /// The question that waits for an answer.
    var question: TLSQuestion?
    /// The chain that the server presented, leaf first.
    var presented: [Certificate] = []
    /// The result for OpenSSL about the server's chain (`X509_V_OK` or an error); `nil` until the answer.
    var verification: Int32?
    /// Whether the question about the client certificate was answered.
    var hasAnsweredClientCertificate = false
}

extension TLSEngine {
    /// The question that the handshake waits for; `nil` if it waits only for bytes.
    package var question: TLSQuestion? { channel.pointee.deliberation?.question }

    /// The chain that the server presented, leaf first; empty before it came, and in a resumed handshake.
    package var presentedChain: [Certificate] { channel.pointee.deliberation?.presented ?? [] }

    /// The stapled OCSP response in DER; `nil` if there is none.
    ///
    /// In TLS 1.2 the response comes after the certificate (RFC 6066 §8), and after OpenSSL has asked about the chain.
    package var stapledResponse: [UInt8]? { questions.stapledResponse }

    /// The SignedCertificateTimestampList of the handshake (RFC 6962 §3.3.1), unread; `nil` if there is none.
    ///
    /// Only contexts that were created with `requestsTimestamps` ask for it. It comes before the chain is judged.
    package var signedTimestamps: [UInt8]? { channel.pointee.signedTimestamps }

    /// The names of the CAs whose client certificates the server accepts; empty if the server names none.
    package var acceptedAuthorities: [String] {
        guard let names = questions.authorityNames else { return [] }
        return (0..<max(0, OPENSSL_sk_num(names))).compactMap { index in
            OPENSSL_sk_value(names, index).map { OpenSSLName.text(of: OpaquePointer($0)) }
        }
    }

    /// Answers ``TLSQuestion/serverCertificate`` with yes.
    package func acceptServerCertificate() { answerServerCertificate(X509_V_OK) }

    /// Answers ``TLSQuestion/serverCertificate`` with no.
    ///
    /// - Parameter fault: The fault of the chain, which decides the alert as in every client of OpenSSL
    ///   (unknown_ca, certificate_expired …). With `nil`, as for a pin, the alert is bad_certificate (42).
    package func refuseServerCertificate(for fault: ChainFault.Kind?) {
        answerServerCertificate(fault?.verificationError ?? X509_V_ERR_CERT_REJECTED)
    }

    private func answerServerCertificate(_ verification: Int32) {
        channel.pointee.deliberation?.verification = verification
        channel.pointee.deliberation?.question = nil
    }

    /// Answers ``TLSQuestion/clientCertificate``.
    ///
    /// - Parameter identity: The certificate and key to present; `nil` for none.
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses it.
    package func answerClientCertificate(_ identity: Identity?) throws(CryptoFailure) {
        channel.pointee.deliberation?.hasAnsweredClientCertificate = true
        channel.pointee.deliberation?.question = nil
        guard let identity else { return }
        guard SSL_use_certificate(ssl, identity.chain.first?.handle.pointer) == 1,
            SSL_use_PrivateKey(ssl, identity.key.handle.pointer) == 1
        else { throw .drainingQueue("could not use the client certificate") }
        for certificate in identity.chain.dropFirst() {
            guard pinhole_SSL_add1_chain_cert(ssl, certificate.handle.pointer) == 1 else {
                throw .drainingQueue("could not use the client certificate's chain")
            }
        }
    }
}
