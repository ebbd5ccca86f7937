import COpenSSL
import PinholeModel

/// The settings that all connections of one kind share: versions, trust, callbacks.
///
/// Sendable: an `SSL_CTX` is configured in the initializer and only read afterwards. OpenSSL guards its
/// reference counts and session ticket keys with locks.
package final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer
    let keyLog: (@Sendable (String) -> Void)?
    /// The OCSP response that a server staples.
    let stapled: [UInt8]?
    /// Whether a server reads early data.
    let acceptsEarlyData: Bool
    /// The newest version to speak.
    let newestVersion: TLSVersion
    /// The anchors of the peer's chain; `nil` for a server that asks for no certificate.
    private(set) var trust: TrustAnchors?

    /// Creates a context for the server's role, for the client's side of a tunnel.
    ///
    /// - Parameters:
    ///   - versions: The oldest and the newest version to speak.
    ///   - clientAnchors: The CAs that client certificates must lead to; empty to ask for no client certificate.
    ///   - keyLog: Receives NSS key log lines (`SSLKEYLOGFILE`).
    /// - Throws: ``CryptoFailure`` when OpenSSL cannot create it.
    package convenience init(
        acceptingVersions versions: ClosedRange<TLSVersion>,
        clientAnchors: [Certificate] = [],
        keyLog: (@Sendable (String) -> Void)? = nil
    ) throws(CryptoFailure) {
        try self.init(
            accepting: ServerOptions(versions: versions, clientAnchors: clientAnchors),
            keyLog: keyLog
        )
    }

    /// Creates a context for a server that may be as weak as `options` say.
    ///
    /// - Parameters:
    ///   - options: The behaviour of the server.
    ///   - keyLog: Receives NSS key log lines (`SSLKEYLOGFILE`).
    /// - Throws: ``CryptoFailure`` when OpenSSL cannot create it.
    package convenience init(
        accepting options: ServerOptions,
        keyLog: (@Sendable (String) -> Void)? = nil
    ) throws(CryptoFailure) {
        try self.init(
            method: TLS_server_method(),
            versions: options.versions,
            strength: options.strength,
            stapled: options.stapledResponse,
            acceptsEarlyData: options.acceptsEarlyData,
            keyLog: keyLog
        )
        if options.acceptsEarlyData {
            SSL_CTX_set_max_early_data(pointer, UInt32(TLSEngine.recordSize))
            // OpenSSL's protection against replay keeps sessions in memory, in place of tickets.
            SSL_CTX_set_options(pointer, pinhole_SSL_OP_NO_ANTI_REPLAY)
        }
        // Tickets are stateless, so the sessions of a thousand clients cost no memory. The session id context
        // binds them to one tunnel's target, so a session for one name is not resumed for another.
        pinhole_SSL_CTX_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_OFF))
        SSL_CTX_set_num_tickets(pointer, options.givesSessions ? 1 : 0)
        if !options.givesSessions { SSL_CTX_set_options(pointer, pinhole_SSL_OP_NO_TICKET) }
        if options.selectsProtocols {
            SSL_CTX_set_alpn_select_cb(pointer, TLSCallbacks.selectProtocol, nil)
        }
        if stapled != nil {
            pinhole_SSL_CTX_set_tlsext_status_cb(pointer, TLSCallbacks.staple)
        }
        if let signatures = options.signatures {
            SSL_CTX_set_options(pointer, pinhole_SSL_OP_CIPHER_SERVER_PREFERENCE)
            guard pinhole_SSL_CTX_set1_sigalgs_list(pointer, signatures) == 1 else {
                throw .drainingQueue("could not use the signatures \(signatures)")
            }
        }
        if let groups = options.groups, pinhole_SSL_CTX_set1_groups_list(pointer, groups) != 1 {
            throw .drainingQueue("could not use the groups \(groups)")
        }
        if !options.clientAnchors.isEmpty {
            try askForClientCertificates(
                options.clientAnchors,
                isDemanded: options.demandsClientCertificate
            )
        }
    }

    /// Creates a context for the client's role, for the server's side of a tunnel.
    ///
    /// - Parameters:
    ///   - versions: The oldest and the newest version to speak.
    ///   - trust: The anchors.
    ///   - clientIdentity: The certificate and key for a server that asks for a client certificate, in the handshake or
    ///     after it.
    ///   - strength: The weakest keys and ciphers that are accepted.
    ///   - requestsTimestamps: Whether the client asks for signed certificate timestamps (RFC 6962 §3.3.1).
    ///   - keyLog: Receives NSS key log lines (`SSLKEYLOGFILE`).
    /// - Throws: ``CryptoFailure`` when OpenSSL cannot create it.
    package convenience init(
        connectingVersions versions: ClosedRange<TLSVersion>,
        trust: TrustAnchors,
        clientIdentity: Identity? = nil,
        strength: TLSStrength = .standard,
        requestsTimestamps: Bool = false,
        keyLog: (@Sendable (String) -> Void)? = nil
    ) throws(CryptoFailure) {
        try self.init(
            method: TLS_client_method(),
            versions: versions,
            strength: strength,
            stapled: nil,
            acceptsEarlyData: false,
            keyLog: keyLog
        )
        use(trust)
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(pointer, TLSCallbacks.verify, nil)
        pinhole_SSL_CTX_set_session_cache_mode(
            pointer,
            Int(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL)
        )
        SSL_CTX_sess_set_new_cb(pointer, TLSCallbacks.newSession)
        if let clientIdentity {
            try present(clientIdentity)
            // A server of TLS 1.3 may ask for the certificate after a request (RFC 8446 §4.6.2).
            SSL_CTX_set_post_handshake_auth(pointer, 1)
        }
        if requestsTimestamps { try requestTimestamps() }
        SSL_CTX_set_cert_cb(pointer, TLSCallbacks.clientCertificateRequested, nil)
    }

    private init(
        method: OpaquePointer?,
        versions: ClosedRange<TLSVersion>,
        strength: TLSStrength,
        stapled: [UInt8]?,
        acceptsEarlyData: Bool,
        keyLog: (@Sendable (String) -> Void)?
    ) throws(CryptoFailure) {
        OpenSSLQueue.clear()
        guard let context = SSL_CTX_new(method) else {
            throw .drainingQueue("could not create a TLS context")
        }
        pointer = context
        self.keyLog = keyLog
        self.stapled = stapled
        self.acceptsEarlyData = acceptsEarlyData
        newestVersion = versions.upperBound
        // A library before OpenSSL 3.5 keeps its own groups, of which none is post-quantum. Groups in openssl.cnf hold
        // in place of these; there may be no such section.
        pinhole_SSL_CTX_set1_groups_list(context, TLSLibrary.groups)
        SSL_CTX_config(context, "system_default")
        OpenSSLQueue.clear()
        // The level is set first: from then on OpenSSL refuses keys that are too small and versions whose
        // signatures are too weak.
        if let level = strength.securityLevel { SSL_CTX_set_security_level(context, Int32(level)) }
        if let list = strength.cipherList, SSL_CTX_set_cipher_list(context, list) != 1 {
            throw .drainingQueue("could not use the cipher list \(list)")
        }
        guard pinhole_SSL_CTX_set_min_proto_version(context, Int32(versions.lowerBound.code)) == 1,
            pinhole_SSL_CTX_set_max_proto_version(context, Int32(versions.upperBound.code)) == 1
        else { throw .drainingQueue("could not set the TLS versions") }
        // An idle connection frees its record buffers (34 KiB).
        pinhole_SSL_CTX_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS))
        SSL_CTX_set_options(
            context,
            pinhole_SSL_OP_NO_RENEGOTIATION | pinhole_SSL_OP_NO_COMPRESSION | pinhole_SSL_OP_PRIORITIZE_CHACHA
        )
        SSL_CTX_set_info_callback(context, TLSCallbacks.info)
        if keyLog != nil { SSL_CTX_set_keylog_callback(context, TLSCallbacks.keyLog) }
    }

    deinit { SSL_CTX_free(pointer) }

    /// Asks for timestamps with an empty extension, and keeps the answer unread.
    ///
    /// OpenSSL's own support (`SSL_CTX_enable_ct`) verifies timestamps with a list of logs, and there is none here.
    private func requestTimestamps() throws(CryptoFailure) {
        let places = SSL_EXT_CLIENT_HELLO | SSL_EXT_TLS1_2_SERVER_HELLO | SSL_EXT_TLS1_3_CERTIFICATE
        let isSet = SSL_CTX_add_custom_ext(
            pointer,
            UInt32(TLSEXT_TYPE_signed_certificate_timestamp),
            UInt32(places),
            nil,
            nil,
            nil,
            TLSCallbacks.timestamps,
            nil
        )
        guard isSet == 1 else { throw .drainingQueue("could not ask for signed certificate timestamps") }
    }

    private func askForClientCertificates(
        _ anchors: [Certificate],
        isDemanded: Bool
    ) throws(CryptoFailure) {
        use(try TrustAnchors(system: false, additional: anchors))
        SSL_CTX_set_verify(
            pointer,
            isDemanded ? SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT : SSL_VERIFY_PEER,
            nil
        )
        // The names of the CAs go into the CertificateRequest, so that a client can choose a certificate (RFC
        // 8446 §4.2.4).
        for anchor in anchors {
            guard SSL_CTX_add_client_CA(pointer, anchor.handle.pointer) == 1 else {
                throw .drainingQueue("could not ask for certificates by “\(anchor.subject)”")
            }
        }
    }

    private func use(_ anchors: TrustAnchors) {
        X509_STORE_up_ref(anchors.pointer)
        SSL_CTX_set_cert_store(pointer, anchors.pointer)
        trust = anchors
    }

    private func present(_ identity: Identity) throws(CryptoFailure) {
        guard SSL_CTX_use_certificate(pointer, identity.chain.first?.handle.pointer) == 1,
            SSL_CTX_use_PrivateKey(pointer, identity.key.handle.pointer) == 1
        else { throw .drainingQueue("could not use the client certificate") }
        for certificate in identity.chain.dropFirst() {
            guard pinhole_SSL_CTX_add1_chain_cert(pointer, certificate.handle.pointer) == 1 else {
                throw .drainingQueue("could not use the client certificate's chain")
            }
        }
    }
}
