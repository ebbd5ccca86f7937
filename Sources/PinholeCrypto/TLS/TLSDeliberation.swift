import COpenSSL
package import PinholeTrust

/// What a handshake stops for, so that somebody outside can take time to answer.
///
/// A callback of OpenSSL must answer at once; a person, or a delegate that asks a server, cannot. So the
/// callback leaves a question here and lets the call return (`SSL_ERROR_WANT_RETRY_VERIFY`,
/// `SSL_ERROR_WANT_X509_LOOKUP`); with the answer the handshake is called again. Nothing of ours is sent
/// meanwhile.
package enum TLSQuestion: Hashable, Sendable {
    /// Whether the server's chain is accepted.
    case serverCertificate
    /// Which certificate the server gets from us.
    case clientCertificate
}

/// The question of one handshake and the answers so far.
struct TLSDeliberation {
    /// What waits for an answer.
    var question: TLSQuestion?
    /// What the server presented, leaf first.
    var presented: [Certificate] = []
    /// What OpenSSL is told about its chain (`X509_V_OK` or an error); `nil` while that is open.
    var verification: Int32?
    /// Whether it is settled what the server gets from us.
    var hasAnsweredClientCertificate = false
}

extension TLSEngine {
    /// What the handshake waits for besides bytes; `nil` for nothing.
    package var question: TLSQuestion? { channel.pointee.deliberation?.question }

    /// What the server presented, leaf first; empty before, and in a resumed handshake.
    package var presentedChain: [Certificate] { channel.pointee.deliberation?.presented ?? [] }

    /// The stapled OCSP response in DER; `nil` for none.
    ///
    /// In TLS 1.2 it comes behind the certificate (RFC 6066 §8), after OpenSSL has asked.
    package var stapledResponse: [UInt8]? {
        var bytes: UnsafePointer<UInt8>?
        let count = pinhole_SSL_get_stapled_response(ssl, &bytes)
        guard count > 0, let bytes else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// The SignedCertificateTimestampList of the handshake (RFC 6962 §3.3.1), unread; `nil` for none.
    ///
    /// It is asked for by contexts that were created so, and comes before the chain is judged.
    package var signedTimestamps: [UInt8]? { channel.pointee.signedTimestamps }

    /// The CAs whose client certificates the server says that it takes; empty where it says nothing.
    package var acceptedAuthorities: [String] {
        guard let names = SSL_get0_peer_CA_list(ssl) else { return [] }
        return (0..<max(0, OPENSSL_sk_num(names))).compactMap { index in
            OPENSSL_sk_value(names, index).map { Certificate.text(of: OpaquePointer($0)) }
        }
    }

    /// Answers ``TLSQuestion/serverCertificate`` with yes.
    package func acceptServerCertificate() { answerServerCertificate(X509_V_OK) }

    /// Answers ``TLSQuestion/serverCertificate`` with no.
    ///
    /// - Parameter fault: What is wrong with the chain, which decides the alert as in every client of OpenSSL
    ///   (unknown_ca, certificate_expired …); with `nil`, as for a pin, it is bad_certificate (42).
    package func refuseServerCertificate(for fault: ChainFault.Kind?) {
        answerServerCertificate(fault?.verificationError ?? X509_V_ERR_CERT_REJECTED)
    }

    private func answerServerCertificate(_ verification: Int32) {
        channel.pointee.deliberation?.verification = verification
        channel.pointee.deliberation?.question = nil
    }

    /// Answers ``TLSQuestion/clientCertificate``.
    ///
    /// - Parameter identity: What is presented; `nil` for nothing.
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
