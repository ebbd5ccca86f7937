import COpenSSL
package import PinholeModel

/// Speaks TLS with one peer: encrypted bytes in and out of queues, no descriptor and no waiting.
///
/// Each call is lent the queues that it reads from and writes to. Call ``handshake(_:_:)`` until it
/// finishes; then ``decrypt(_:into:limit:output:)`` whenever bytes came, and ``encrypt(_:count:into:)``
/// at will. After a failure only the facts may be read. It is a class because a connection has an
/// identity: OpenSSL's callbacks point to it.
package final class TLSEngine {
    /// How far a handshake came.
    package enum HandshakeStep: Equatable, Sendable {
        /// More bytes of the peer are needed.
        case wantsInput
        /// It is done.
        case finished
        /// It failed; an alert may wait in the output.
        case failed(TLSFailure)
    }

    /// What came of a decryption.
    package enum ReadStep: Equatable, Sendable {
        /// More bytes of the peer are needed for more plaintext.
        case wantsInput
        /// The limit was reached; there may be more.
        case limited
        /// The peer sent close_notify.
        case closed
        /// The connection is broken.
        case failed(TLSFailure)
    }

    let connection: TLSConnectionHandle

    /// Creates an engine that acts as the server, for the client's side of a tunnel.
    ///
    /// - Parameters:
    ///   - context: An accepting context.
    ///   - identity: What is presented.
    ///   - scope: What sessions are bound to; a session of another scope is not resumed.
    ///   - applicationProtocol: The protocol that is selected when the client offers ALPN; a client that
    ///     offers others only is refused (`no_application_protocol`). With `nil` none is selected.
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses the identity.
    package init(
        accepting context: TLSContext,
        presenting identity: Identity,
        scope: String,
        applicationProtocol: String?
    ) throws(CryptoFailure) {
        let connection = try TLSConnectionHandle(context)
        let ssl = connection.ssl
        connection.channel.pointee.awaitsEarlyData = context.acceptsEarlyData
        connection.channel.pointee.applicationProtocol = applicationProtocol.map { Array($0.utf8) }
        SSL_set_accept_state(ssl)
        // The identifier may have 32 bytes at most (SSL_MAX_SID_CTX_LENGTH).
        let scope = Digest.sha256(Array(scope.utf8))
        SSL_set_session_id_context(ssl, scope, UInt32(scope.count))
        self.connection = connection
        try present(identity)
    }

    /// Presents a chain to clients that prefer its kind of key; one of another kind that was there before stays.
    ///
    /// - Parameter identity: The chain.
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses it.
    package func present(_ identity: Identity) throws(CryptoFailure) {
        guard SSL_use_certificate(ssl, identity.chain.first?.handle.pointer) == 1,
            SSL_use_PrivateKey(ssl, identity.key.handle.pointer) == 1
        else { throw .drainingQueue("could not present the certificate") }
        for certificate in identity.chain.dropFirst() {
            pinhole_SSL_add1_chain_cert(ssl, certificate.handle.pointer)
        }
    }

    /// Creates an engine that acts as the client, for the server's side of a tunnel.
    ///
    /// - Parameters:
    ///   - context: A connecting context.
    ///   - judge: Judges the server's chain; its host is what the certificate must name.
    ///   - serverName: The name for SNI; `nil` for none, as for an IP literal (RFC 6066 §3).
    ///   - applicationProtocols: What is offered in ALPN, best first; empty for no offer.
    ///   - session: A session to resume.
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses a value.
    package init(
        connecting context: TLSContext,
        judge: ServerJudge,
        serverName: String?,
        applicationProtocols: [String],
        resuming session: TLSSession? = nil
    ) throws(CryptoFailure) {
        let connection = try TLSConnectionHandle(context)
        let ssl = connection.ssl
        connection.channel.pointee.judge = judge
        SSL_set_connect_state(ssl)
        try Self.prepare(ssl, serverName, applicationProtocols, session)
        try Self.expect(judge.host, ssl)
        self.connection = connection
    }

    /// Creates an engine that acts as the client and stops for the questions of ``TLSQuestion``.
    ///
    /// - Parameters:
    ///   - context: A connecting context; its anchors and its identity are not used.
    ///   - serverName: The name for SNI; `nil` for none, as for an IP literal (RFC 6066 §3).
    ///   - applicationProtocols: What is offered in ALPN, best first; empty for no offer.
    ///   - session: A session to resume; then no certificate is sent, and nobody is asked about one.
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses a value.
    package init(
        deliberating context: TLSContext,
        serverName: String?,
        applicationProtocols: [String],
        resuming session: TLSSession? = nil
    ) throws(CryptoFailure) {
        let connection = try TLSConnectionHandle(context)
        connection.channel.pointee.deliberation = TLSDeliberation()
        SSL_set_connect_state(connection.ssl)
        try Self.prepare(connection.ssl, serverName, applicationProtocols, session)
        pinhole_SSL_request_stapled_response(connection.ssl)
        self.connection = connection
    }

    var ssl: OpaquePointer { connection.ssl }

    var channel: UnsafeMutablePointer<TLSChannel> { connection.channel }

    /// Carries the handshake as far as the input allows.
    ///
    /// - Parameters:
    ///   - input: Encrypted bytes from the peer; what is used is consumed.
    ///   - output: Receives encrypted bytes for the peer.
    /// - Returns: How far it came; `wantsInput` also where an answer to ``question`` is wanted.
    package func handshake(_ input: inout ByteQueue, _ output: inout ByteQueue) -> HandshakeStep {
        let result = lending(&input, &output) { shakeHands() }
        if result == 1 { return .finished }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wantsInput
        case SSL_ERROR_WANT_RETRY_VERIFY, SSL_ERROR_WANT_X509_LOOKUP:
            return question == nil ? .failed(failure(result)) : .wantsInput
        default: return .failed(failure(result))
        }
    }

    /// Decrypts what came.
    ///
    /// - Parameters:
    ///   - input: Encrypted bytes from the peer; what is used is consumed.
    ///   - plain: Receives the plaintext.
    ///   - limit: Stops once `plain` holds that many bytes (it may pass it by one record).
    ///   - output: Receives what TLS itself has to say (key updates, alerts).
    /// - Returns: Why it stopped.
    package func decrypt(
        _ input: inout ByteQueue,
        into plain: inout ByteQueue,
        limit: Int,
        output: inout ByteQueue
    ) -> ReadStep {
        lending(&input, &output) {
            while plain.count < limit {
                var result: Int32 = 0
                plain.append(capacity: Self.recordSize) { room in
                    room.withUnsafeMutableBufferPointer { buffer, count in
                        result = SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
                        count = Int(max(0, result))
                    }
                }
                guard result <= 0 else {
                    // To ask libssl for what cannot be there costs as much as a small record.
                    if isDry { return .wantsInput }
                    continue
                }
                switch SSL_get_error(ssl, result) {
                case SSL_ERROR_WANT_READ: return .wantsInput
                case SSL_ERROR_ZERO_RETURN: return .closed
                default: return .failed(failure(result))
                }
            }
            return .limited
        }
    }

    /// Encrypts the first `count` bytes of `plain`, which are consumed.
    ///
    /// - Parameters:
    ///   - plain: Plaintext; at least `count` bytes.
    ///   - count: How many bytes to encrypt.
    ///   - output: Receives the records.
    /// - Throws: ``TLSFailure`` when the connection is broken.
    package func encrypt(
        _ plain: inout ByteQueue,
        count: Int,
        into output: inout ByteQueue
    ) throws(TLSFailure) {
        guard count > 0 else { return }
        var nothing = ByteQueue()
        let result = lending(&nothing, &output) {
            plain.bytes.withUnsafeBytes { SSL_write(ssl, $0.baseAddress, Int32(count)) }
        }
        guard result == count else { throw failure(result) }
        plain.consume(count)
    }

    /// Whether libssl has nothing to go on with; to be asked while it is lent the queues.
    private var isDry: Bool {
        channel.pointee.input?.pointee.isEmpty == true && !channel.pointee.isAtEnd && !hasPending
    }

    /// Says that nothing more will be sent (close_notify).
    package func close(into output: inout ByteQueue) {
        var nothing = ByteQueue()
        lending(&nothing, &output) { _ = SSL_shutdown(ssl) }
        OpenSSLQueue.clear()
    }

    /// Gives the buffers for records back, where nothing lies in them: an idle connection needs none.
    ///
    /// `SSL_MODE_RELEASE_BUFFERS` does so when libssl was asked in vain, which
    /// ``decrypt(_:into:limit:output:)`` avoids. In the midst of a record nothing is given back: OpenSSL before 3.0.14 would, and use it after
    /// (CVE-2024-4741).
    package func releaseBuffers() {
        guard SSL_get_state(ssl) == TLS_ST_OK, let state = SSL_rstate_string(ssl),
            strcmp(state, "RH") == 0
        else { return }
        SSL_free_buffers(ssl)
    }

    /// Tells the engine that the peer's stream has ended.
    package func receiveEnd() {
        channel.pointee.isAtEnd = true
    }

    /// Hands out the newest session that the server offered, once.
    package func takeSession() -> TLSSession? {
        channel.pointee.session.take()
    }

    /// Whether decrypted bytes wait inside the engine.
    package var hasPending: Bool { SSL_pending(ssl) > 0 }

    /// The last alert that the peer sent.
    package var alertReceived: Alert? { channel.pointee.alertReceived }

    /// The last alert that we sent.
    package var alertSent: Alert? { channel.pointee.alertSent }

    /// What was found about the server's chain; `nil` before, and in a resumed handshake.
    package var verification: ServerVerification? { channel.pointee.verification }

    /// Whether the server asked for a client certificate.
    package var requestedClientCertificate: Bool { channel.pointee.requestedClientCertificate }

    /// Whether a session was resumed.
    package var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// Whether both sides know which version and which suite they speak.
    ///
    /// Before that OpenSSL names the newest version that it would speak, and the suite of a session that it would resume.
    private var hasAgreed: Bool { SSL_is_init_finished(ssl) == 1 || SSL_get_pending_cipher(ssl) != nil }

    /// The agreed version (`TLSv1.3`), as OpenSSL names it; `nil` where the handshake ended before.
    package var version: String? {
        guard hasAgreed else { return nil }
        return SSL_get_version(ssl).map { String(cString: $0) }
    }

    /// The agreed cipher suite by its standard name.
    package var cipher: String? {
        guard hasAgreed else { return nil }
        return SSL_get_current_cipher(ssl).flatMap { SSL_CIPHER_standard_name($0) }.map {
            String(cString: $0)
        }
    }

    /// The agreed application protocol.
    package var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    /// The certificate that we presented, if we did.
    package var presentedClientCertificate: Certificate? {
        guard requestedClientCertificate, let own = SSL_get_certificate(ssl) else { return nil }
        return try? Certificate(borrowing: own)
    }

    /// The leaf that the peer presented, in this handshake or in the one that was resumed; `nil` for none.
    package var peerCertificate: Certificate? {
        guard let pointer = SSL_get1_peer_certificate(ssl) else { return nil }
        defer { X509_free(pointer) }
        return try? Certificate(borrowing: pointer)
    }

    /// What both ends of this very connection know and nobody else (RFC 9266); `nil` before the handshake is done.
    package var channelBinding: [UInt8]? {
        let label = "EXPORTER-Channel-Binding"
        var value = [UInt8](repeating: 0, count: 32)
        let result = SSL_export_keying_material(ssl, &value, value.count, label, label.utf8.count, nil, 0, 1)
        OpenSSLQueue.clear()
        return result == 1 ? value : nil
    }

    /// The name of ``channelBinding`` among the kinds of channel binding.
    package static let channelBindingName = "tls-exporter"

    /// The largest plaintext of a record (RFC 8446 §5.1).
    static let recordSize = 16 << 10

    private static func prepare(
        _ ssl: OpaquePointer,
        _ serverName: String?,
        _ applicationProtocols: [String],
        _ session: TLSSession?
    ) throws(CryptoFailure) {
        if let serverName, pinhole_SSL_set_tlsext_host_name(ssl, serverName) != 1 {
            throw .drainingQueue("could not ask for the server name \(serverName)")
        }
        let offer = applicationProtocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !offer.isEmpty { SSL_set_alpn_protos(ssl, offer, UInt32(offer.count)) }
        if let session { SSL_set_session(ssl, session.pointer) }
    }

    private static func expect(_ host: Host, _ ssl: OpaquePointer) throws(CryptoFailure) {
        let parameters = SSL_get0_param(ssl)
        X509_VERIFY_PARAM_set_hostflags(
            parameters,
            UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        )
        let isSet =
            switch host {
            case .name(let name): X509_VERIFY_PARAM_set1_host(parameters, name, 0)
            case .address(let address):
                X509_VERIFY_PARAM_set1_ip(parameters, address.bytes, address.bytes.count)
            }
        guard isSet == 1 else { throw .drainingQueue("could not expect the host \(host)") }
    }

    private func failure(_ result: Int32) -> TLSFailure {
        .ofLastCall(
            result: result,
            received: channel.pointee.alertReceived,
            sent: channel.pointee.alertSent
        )
    }

    /// Lends the queues to the BIO for the length of `call`.
    func lending<Result>(
        _ input: inout ByteQueue,
        _ output: inout ByteQueue,
        _ call: () -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &input) { input in
            withUnsafeMutablePointer(to: &output) { output in
                channel.pointee.input = input
                channel.pointee.output = output
                defer {
                    channel.pointee.input = nil
                    channel.pointee.output = nil
                }
                OpenSSLQueue.clear()
                return call()
            }
        }
    }
}
