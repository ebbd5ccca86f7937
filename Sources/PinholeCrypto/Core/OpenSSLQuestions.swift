import COpenSSL

// Every question to OpenSSL about a connection or a session stands in this file, beside the condition under which its
// documentation allows it. Some questions crash in the wrong state: `SSL_get_negotiated_group` reads a session that is
// not there after a HelloRetryRequest. A type that can be made only in the right state answers such questions, so no
// caller can ask too early. RepositoryTests checks that no other file calls these functions.

/// The questions about a TLS connection that OpenSSL answers in every state, from `SSL_new` to `SSL_free`.
///
/// The questions that need a state are in ``AgreedConnection`` and ``FinishedConnection``. The connection has to outlive
/// the value.
struct ConnectionQuestions {
    private let ssl: OpaquePointer

    init(_ ssl: OpaquePointer) { self.ssl = ssl }

    /// The questions about what both sides have agreed on; `nil` before they have.
    var agreed: AgreedConnection? { AgreedConnection(ssl) }

    /// The questions about a finished handshake; `nil` before its end, and after a fatal error.
    var finished: FinishedConnection? { FinishedConnection(ssl) }

    /// The index of the connection among the data of a verification, for ``RequestedVerification``.
    static var placeInVerification: Int32 { SSL_get_ex_data_X509_STORE_CTX_idx() }

    /// The kind of the result of a call (`SSL_ERROR_…`).
    ///
    /// Condition: right after that call, in the same thread, with the error queue cleared before it.
    func errorKind(of result: Int32) -> Int32 { SSL_get_error(ssl, result) }

    /// The application data of the connection; `nil` before it was set.
    var applicationData: UnsafeMutableRawPointer? { pinhole_SSL_get_app_data(ssl) }

    /// The parameters of verification.
    ///
    /// They belong to the connection. Condition: before the handshake.
    var verificationParameters: OpaquePointer? { SSL_get0_param(ssl) }

    /// Whether decrypted bytes wait inside libssl.
    var hasPending: Bool { SSL_pending(ssl) > 0 }

    /// Whether the server accepted early data; `false` in every state in which that is not known.
    var acceptsEarlyData: Bool { SSL_get_early_data_status(ssl) == SSL_EARLY_DATA_ACCEPTED }

    /// The names of a server's CertificateRequest; `nil` if none came.
    ///
    /// They belong to the connection.
    var authorityNames: OpaquePointer? { SSL_get0_peer_CA_list(ssl) }

    /// The stapled OCSP response that the server sent; `nil` if none came.
    var stapledResponse: [UInt8]? {
        var bytes: UnsafePointer<UInt8>?
        let count = pinhole_SSL_get_stapled_response(ssl, &bytes)
        guard count > 0, let bytes else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// The certificate that this side has configured; `nil` if there is none.
    ///
    /// It belongs to the connection.
    var ownCertificate: OpaquePointer? { SSL_get_certificate(ssl) }

    /// Whether libssl is between two records, outside of a handshake.
    ///
    /// Only then may record buffers be freed.
    var isBetweenRecords: Bool {
        guard SSL_get_state(ssl) == TLS_ST_OK, let state = SSL_rstate_string(ssl) else { return false }
        return strcmp(state, "RH") == 0
    }
}

/// The questions about a connection whose two sides have agreed on a version and a cipher suite.
///
/// Before that, OpenSSL reports the newest version that it would speak, and the values of a session that it offers for
/// resumption. The agreement outlives a fatal error, so a record can name what a failed handshake had agreed on.
struct AgreedConnection {
    private let ssl: OpaquePointer
    private let suite: OpaquePointer

    fileprivate init?(_ ssl: OpaquePointer) {
        // Until the end of a handshake, the current suite is that of the session, which may be an old one.
        let isFinished = SSL_is_init_finished(ssl) == 1
        guard let suite = isFinished ? SSL_get_current_cipher(ssl) : SSL_get_pending_cipher(ssl) else {
            return nil
        }
        self.ssl = ssl
        self.suite = suite
    }

    var cipher: String? { SSL_CIPHER_standard_name(suite).map { String(cString: $0) } }

    /// The version (`TLSv1.3`), as OpenSSL names it.
    ///
    /// Not `SSL_get_version`: after a record with another version, it says the version of that record.
    var version: String? {
        if isTLS13 { return "TLSv1.3" }
        guard let session = SSL_get_session(ssl) else { return nil }
        return switch SSL_SESSION_get_protocol_version(session) {
        case SSL3_VERSION: "SSLv3"
        case TLS1_VERSION: "TLSv1"
        case TLS1_1_VERSION: "TLSv1.1"
        case TLS1_2_VERSION: "TLSv1.2"
        default: nil
        }
    }

    /// Whether the suite is one of TLS 1.3, which no other version uses (RFC 8446 appendix B.4).
    private var isTLS13: Bool { SSL_CIPHER_get_protocol_id(suite) >> 8 == 0x13 }

    /// The group of the key exchange by its name at IANA; `nil` without such an exchange, and before the group is agreed.
    ///
    /// Condition: there is a session, and it is that of this handshake. A server has none after its HelloRetryRequest. A
    /// client that resumes keeps the old session until the ServerHello.
    var group: String? {
        guard SSL_get_session(ssl) != nil, hasReadServerHello else { return nil }
        return pinhole_SSL_get_negotiated_group_name(ssl).map { String(cString: $0) }
    }

    /// Whether this handshake resumed a session.
    var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// The application protocol; `nil` if there is none.
    var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    /// Returns the peer's leaf, from this handshake or the resumed one; `nil` if there is none.
    ///
    /// The caller frees it. Condition: there is a session.
    func takePeerCertificate() -> OpaquePointer? {
        guard SSL_get_session(ssl) != nil else { return nil }
        return SSL_get1_peer_certificate(ssl)
    }

    /// Whether a client has more of its server than a HelloRetryRequest; `true` in a server.
    private var hasReadServerHello: Bool {
        if SSL_is_server(ssl) == 1 || SSL_is_init_finished(ssl) == 1 { return true }
        return switch SSL_get_state(ssl) {
        case TLS_ST_BEFORE, TLS_ST_CW_CLNT_HELLO, TLS_ST_EARLY_DATA, TLS_ST_CW_CHANGE, TLS_ST_CR_SRVR_HELLO:
            !isTLS13
        default: true
        }
    }
}

/// The questions about a connection whose handshake is finished.
struct FinishedConnection {
    private let ssl: OpaquePointer

    fileprivate init?(_ ssl: OpaquePointer) {
        guard SSL_is_init_finished(ssl) == 1, SSL_get_session(ssl) != nil else { return nil }
        self.ssl = ssl
    }

    /// A value that only the two ends of the connection can compute (RFC 5705, RFC 8446 §7.5).
    func keyingMaterial(label: String, count: Int) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: count)
        let result = OpenSSLQueue.quietly {
            SSL_export_keying_material(ssl, &value, value.count, label, label.utf8.count, nil, 0, 1)
        }
        return result == 1 ? value : nil
    }
}

/// The questions about a session that OpenSSL has handed out.
///
/// The session has to outlive the value.
struct SessionQuestions {
    private let session: OpaquePointer

    init(_ session: OpaquePointer) { self.session = session }

    /// Whether a client can still offer the session.
    var isResumable: Bool { SSL_SESSION_is_resumable(session) == 1 }

    /// The number of bytes of early data that the session permits; 0 for none.
    var mostEarlyData: Int { Int(SSL_SESSION_get_max_early_data(session)) }
}
