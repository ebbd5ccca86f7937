/// A TLS handshake, finished or failed.
package struct HandshakeRecord: Sendable, Equatable, Codable {
    /// The side with which the proxy made the handshake.
    package var peer: Side
    /// The time at which the first byte arrived or was sent.
    package var started: Timestamp
    /// The duration of the handshake.
    package var duration: Duration
    /// The version, `TLSv1.3`, `TLSv1.2` …; `nil` if none was agreed on.
    package var version: String?
    /// The cipher suite by its standard name (`TLS_AES_128_GCM_SHA256`).
    package var cipher: String?
    /// The group of the key exchange by its name at IANA (`x25519`, `X25519MLKEM768`); `nil` without such an exchange.
    package var group: String?
    /// The groups that the proxy offered to the server, by their numbers in its order; `nil` towards the client.
    package var offeredGroups: [UInt16]?
    /// The groups of the key shares that the proxy sent to the server, in its order; `nil` if it sent none.
    package var offeredShares: [UInt16]?
    /// The application protocol that the sides agreed on.
    package var applicationProtocol: String?
    /// The server name that the handshake requested.
    package var serverName: String?
    /// Whether a session was resumed, so that no certificate was sent.
    package var isResumed = false
    /// The presented chain, DER, leaf first: from the server to the proxy, or from the proxy to the client.
    package var presentedChain: [[UInt8]] = []
    /// The chain that verification built, DER, leaf first, anchor last; empty if none was built.
    package var validatedChain: [[UInt8]] = []
    /// The result of the verification, in a sentence; `nil` if nothing was verified.
    package var verification: String?
    /// The reason why the server's certificate was accepted although verification failed; `nil` otherwise.
    package var exemption: String?
    /// The certificate that the client presented, or that the proxy presented to the server; `nil` if there was none.
    package var clientCertificate: [UInt8]?
    /// Whether the server asked for a client certificate.
    package var requestedClientCertificate = false
    /// The reason of the failure; `nil` if the handshake succeeded.
    ///
    /// The client may still reject a handshake after it finished (``HandshakeFailure/Cause/looksPinned``).
    package var failure: HandshakeFailure?

    /// Whether the server asked for a client certificate and got none.
    package var isClientCertificateMissing: Bool { requestedClientCertificate && clientCertificate == nil }

    /// Returns whether a response with this status may come from a server that missed a client certificate.
    ///
    /// Without the certificate that it wants, nginx sends 400, Apache and others 403, some 401.
    ///
    /// - Returns: Whether the server requested a certificate, got none, and may have refused for that reason.
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

/// The cause of a failed handshake, and whether it is certain.
package struct HandshakeFailure: Sendable, Equatable, Codable {
    /// The cause of the failure.
    package enum Cause: String, Sendable, Codable, CaseIterable {
        /// The client does not trust the proxy's CA (`unknown_ca`).
        case authorityNotTrusted
        /// The client refused the certificate for a reason that its alert does not name.
        case certificateRefused
        /// The client probably pins: it accepts the CA elsewhere, or it finished the handshake and then closed
        /// silently.
        case looksPinned
        /// The client refused a fault of the server's certificate that the proxy had copied.
        case mirroredFaultRefused
        /// The client refused the certificate's dates.
        case dateRefused
        /// The client refused the certificate's name.
        case nameRefused
        /// The sides have no common protocol version.
        case noCommonVersion
        /// The sides have no common cipher suite or signature algorithm, or the peer did not say which is missing.
        case noCommonCipher
        /// The sides have no common group of a key exchange, such as only post-quantum ones on one side.
        case noCommonGroup
        /// The sides have no common application protocol (ALPN).
        case noCommonProtocol
        /// The peer closed the connection without an alert.
        case closed
        /// The peer reset the connection.
        case reset
        /// The peer did not answer within the time limit.
        case timedOut
        /// The peer does not speak TLS.
        case notTLS
        /// The peer cancelled the handshake on purpose (`user_canceled`, close_notify).
        case cancelled
        /// The proxy refused the server's certificate.
        case serverCertificateRefused
        /// The server requires a client certificate, and none fits.
        case clientCertificateRequired
        /// Another TLS error; the detail names it.
        case protocolError
    }

    /// The cause of the failure.
    package var cause: Cause
    /// Whether the cause is inferred from circumstances, because the peer did not name it.
    package var isHint: Bool
    /// The side that ended the handshake; `nil` if the proxy or a deadline did.
    package var endedBy: Side?
    /// The alert that ended it, if there was one.
    package var alert: Alert?
    /// The number of application bytes that the peer sent after the handshake.
    package var bytesAfterHandshake: Int64
    /// The explanation and the remedy for users, in a sentence or two.
    package var detail: String

    /// Creates the description of a failure.
    package init(
        _ cause: Cause,
        isHint: Bool = false,
        endedBy: Side? = nil,
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
    /// Whether the alert ends the connection.
    package var isFatal: Bool

    /// Creates an alert from its code, by default a fatal one.
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

    /// The names of alerts by their codes.
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
        121: "ech_required",
    ]
}

/// The offer of a client in its ClientHello (RFC 8446 §4.1.2).
package struct ClientHelloRecord: Sendable, Hashable, Codable {
    /// The name in server_name (RFC 6066 §3).
    package var serverName: String?
    /// The protocols in ALPN, in the client's order.
    package var applicationProtocols: [String] = []
    /// The offered versions, in the client's order (`0x0304` is TLS 1.3).
    package var versions: [UInt16] = []
    /// Cipher suites, in the client's order.
    package var cipherSuites: [UInt16] = []
    /// Extension types, in the client's order.
    package var extensions: [UInt16] = []
    /// Named groups, in the client's order.
    package var groups: [UInt16] = []
    /// The groups of the key shares, in the client's order (RFC 8446 §4.2.8); `nil` if there is no such extension.
    package var keyShares: [UInt16]?
    /// Signature schemes, in the client's order.
    package var signatureSchemes: [UInt16] = []
    /// The client's fingerprint by FoxIO's JA4; `nil` if it was not computed.
    package var ja4: String?

    /// The number of encrypted_client_hello among the extensions (RFC 9849 §5).
    private static let encryptedHello: UInt16 = 0xfe0d
    /// Whether the client offers an encrypted ClientHello.
    package var offersEncryptedHello: Bool { extensions.contains(Self.encryptedHello) }

    /// Creates an empty offer.
    package init() {}
}
