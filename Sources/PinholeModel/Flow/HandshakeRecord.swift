/// One TLS handshake, finished or failed.
package struct HandshakeRecord: Sendable, Equatable, Codable {
    /// Who the peer was.
    package var peer: Side
    /// When the first byte was there or was sent.
    package var started: Timestamp
    /// How long it took.
    package var duration: Duration
    /// `TLSv1.3`, `TLSv1.2` …; `nil` when it never came to that.
    package var version: String?
    /// The cipher suite by its standard name (`TLS_AES_128_GCM_SHA256`).
    package var cipher: String?
    /// The application protocol that was agreed upon.
    package var applicationProtocol: String?
    /// The server name that was asked for.
    package var serverName: String?
    /// Whether a session was resumed, so that no certificate was sent.
    package var isResumed = false
    /// The chain that was presented, DER, leaf first: by the server to us, or by us to the client.
    package var presentedChain: [[UInt8]] = []
    /// The chain that verification built, DER, leaf first, anchor last; empty when none was built.
    package var validatedChain: [[UInt8]] = []
    /// What verification found, in a sentence; `nil` where nothing was verified.
    package var verification: String?
    /// Why the server's certificate was accepted although verification failed; `nil` otherwise.
    package var exemption: String?
    /// The certificate that the client presented, or that we presented to the server; `nil` for none.
    package var clientCertificate: [UInt8]?
    /// Whether the server asked for a client certificate.
    package var requestedClientCertificate = false
    /// Why it failed; `nil` for success.
    ///
    /// A handshake that finished may still have been followed by a rejection
    /// (``HandshakeFailure/Cause/looksPinned``).
    package var failure: HandshakeFailure?

    /// Whether the server asked for a client certificate and got none.
    package var isClientCertificateMissing: Bool { requestedClientCertificate && clientCertificate == nil }

    /// Whether the status of a response may be the answer of a server that wants a client certificate and got none: nginx
    /// sends 400, Apache and others 403, some 401.
    ///
    /// - Parameter status: The status.
    /// - Returns: Whether it may be.
    package func mayRefuseMissingCertificate(by status: Int) -> Bool {
        isClientCertificateMissing && [400, 401, 403, 495, 496].contains(status)
    }

    /// Creates the record of a handshake.
    package init(peer: Side, started: Timestamp, duration: Duration) {
        self.peer = peer
        self.started = started
        self.duration = duration
    }
}

/// Why a handshake failed, and how sure that is.
package struct HandshakeFailure: Sendable, Equatable, Codable {
    /// What went wrong.
    package enum Cause: String, Sendable, Codable, CaseIterable {
        /// The client does not trust the proxy's CA (`unknown_ca`).
        case authorityNotTrusted
        /// The client refused the certificate for a reason that its alert does not tell.
        case certificateRefused
        /// The client accepts our CA elsewhere, or finished the handshake and closed without a word: a pin.
        case looksPinned
        /// The client refused a fault of the server's certificate that the proxy mirrored.
        case mirroredFaultRefused
        /// The client refused the certificate's dates.
        case dateRefused
        /// The client refused the certificate's name.
        case nameRefused
        /// No common protocol version.
        case noCommonVersion
        /// No common cipher suite, group or signature algorithm.
        case noCommonCipher
        /// No common application protocol (ALPN).
        case noCommonProtocol
        /// The peer closed the connection without a word.
        case closed
        /// The peer reset the connection.
        case reset
        /// The peer was silent for too long.
        case timedOut
        /// The peer speaks no TLS.
        case notTLS
        /// The peer gave up on purpose (`user_canceled`, close_notify).
        case cancelled
        /// The server's certificate was refused by us.
        case serverCertificateRefused
        /// The server wants a client certificate, and none fits.
        case clientCertificateRequired
        /// Another TLS error; the detail names it.
        case protocolError
    }

    /// What went wrong.
    package var cause: Cause
    /// Whether the cause is a guess from circumstances, not something that the peer said.
    package var isHint: Bool
    /// Who ended it; `nil` when we did, or a deadline.
    package var endedBy: Side?
    /// The alert that ended it, if there was one.
    package var alert: Alert?
    /// Application bytes that the peer sent after the handshake.
    package var bytesAfterHandshake: Int64
    /// What happened and what to do, in a sentence or two.
    package var detail: String

    /// Creates the cause of a failure.
    package init(
        _ cause: Cause,
        isHint: Bool,
        endedBy: Side?,
        alert: Alert? = nil,
        bytesAfterHandshake: Int64 = 0,
        detail: String
    ) {
        self.cause = cause
        self.isHint = isHint
        self.endedBy = endedBy
        self.alert = alert
        self.bytesAfterHandshake = bytesAfterHandshake
        self.detail = detail
    }
}

/// A TLS alert (RFC 8446 §6).
package struct Alert: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The description code, such as 48 for `unknown_ca`.
    package var code: UInt8
    /// Whether it ends the connection.
    package var isFatal: Bool

    /// Creates an alert.
    package init(code: UInt8, isFatal: Bool = true) {
        self.code = code
        self.isFatal = isFatal
    }

    /// The name in RFC 8446 §6, with older codes by RFC 5246 and RFC 4346.
    package var name: String {
        Self.names[code] ?? "alert_\(code)"
    }

    /// The name and the code: `unknown_ca (48)`.
    package var description: String { "\(name) (\(code))" }

    /// The names by their codes.
    package static let names: [UInt8: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed",
        22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure", 41: "no_certificate",
        42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked",
        45: "certificate_expired", 46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca",
        49: "access_denied", 50: "decode_error", 51: "decrypt_error", 60: "export_restriction",
        70: "protocol_version", 71: "insufficient_security", 80: "internal_error",
        86: "inappropriate_fallback", 90: "user_canceled", 100: "no_renegotiation",
        109: "missing_extension", 110: "unsupported_extension", 111: "certificate_unobtainable",
        112: "unrecognized_name", 113: "bad_certificate_status_response", 114: "bad_certificate_hash_value",
        115: "unknown_psk_identity", 116: "certificate_required", 120: "no_application_protocol",
    ]
}

/// What a client offered in its ClientHello (RFC 8446 §4.1.2).
package struct ClientHelloRecord: Sendable, Hashable, Codable {
    /// The name in server_name (RFC 6066 §3).
    package var serverName: String?
    /// The protocols in ALPN, in the client's order.
    package var applicationProtocols: [String] = []
    /// Versions offered, best first as listed (`0x0304` is TLS 1.3).
    package var versions: [UInt16] = []
    /// Cipher suites, in the client's order.
    package var cipherSuites: [UInt16] = []
    /// Extension types, in the client's order.
    package var extensions: [UInt16] = []
    /// Named groups, in the client's order.
    package var groups: [UInt16] = []
    /// Signature schemes, in the client's order.
    package var signatureSchemes: [UInt16] = []

    /// Creates an empty offer.
    package init() {}
}
