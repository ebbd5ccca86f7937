import COpenSSL
package import PinholeModel

/// The reason why a TLS connection failed.
package struct TLSFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of a failure, as far as the protocol tells.
    package enum Kind: Equatable, Sendable {
        /// The peer sent a fatal alert.
        case alertReceived(Alert)
        /// This side ended the connection, with the alert that it sent.
        case refused(Alert?)
        /// The stream ended without close_notify.
        case truncated
        /// The bytes of the peer are not TLS.
        case notTLS
        /// The two sides have no protocol version in common.
        case noCommonVersion
        /// The two sides have no cipher suite or signature algorithm in common.
        case noCommonCipher
        /// The two sides have no group of a key exchange in common.
        case noCommonGroup
        /// The two sides have no application protocol in common.
        case noCommonProtocol
        /// This side did not accept the certificate; the verification says why.
        case certificateRefused
        /// The peer broke the protocol.
        case protocolError
        /// OpenSSL failed for another reason.
        case system
    }

    /// The kind of the failure.
    package let kind: Kind
    /// The text of OpenSSL's errors.
    package let detail: String

    /// Creates a failure.
    package init(_ kind: Kind, detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// The detail.
    package var description: String { detail }
}

extension TLSFailure {
    /// Creates the failure of the last call from its result, the error queue and the alerts that were seen.
    static func ofLastCall(result: Int32, received: Alert?, sent: Alert?) -> TLSFailure {
        let entries = OpenSSLQueue.drain()
        let detail = entries.map(\.text).joined(separator: "; ")
        guard let reason = entries.last?.reason else {
            return TLSFailure(.truncated, detail: "the stream ended without close_notify")
        }
        if let received, received.isFatal { return TLSFailure(.alertReceived(received), detail: detail) }
        return TLSFailure(kind(of: reason, sent: sent), detail: detail)
    }

    private static func kind(of reason: Int32, sent: Alert?) -> Kind {
        switch reason {
        case SSL_R_UNEXPECTED_EOF_WHILE_READING: .truncated
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_WRONG_VERSION_NUMBER,
            SSL_R_PACKET_LENGTH_TOO_LONG:
            .notTLS
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_NO_PROTOCOLS_AVAILABLE, SSL_R_VERSION_TOO_LOW,
            SSL_R_VERSION_TOO_HIGH,
            SSL_R_UNKNOWN_SSL_VERSION:
            .noCommonVersion
        case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM,
            SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS:
            .noCommonCipher
        case SSL_R_NO_SHARED_GROUPS, SSL_R_NO_SUITABLE_GROUPS, SSL_R_NO_SUITABLE_KEY_SHARE: .noCommonGroup
        case SSL_R_NO_APPLICATION_PROTOCOL: .noCommonProtocol
        case SSL_R_CERTIFICATE_VERIFY_FAILED: .certificateRefused
        default: sent.map { .refused($0) } ?? .protocolError
        }
    }
}
