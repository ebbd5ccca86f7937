import COpenSSL
package import PinholeModel

/// Speaks TLS with one peer: encrypted bytes in and out of queues, no descriptor and no waiting.
///
/// Each call is lent the queues that it reads from and writes to. Call ``handshake(_:_:)`` until it finishes.
/// Then call ``decrypt(_:into:limit:output:)`` whenever bytes came, and ``encrypt(_:count:into:)`` at any
/// time. After a failure, only properties may be read. The engine is a class because a connection has an
/// identity: OpenSSL's callbacks point to it.
package final class TLSEngine {
    /// The state of a handshake after a call.
    package enum HandshakeStep: Equatable, Sendable {
        /// The handshake needs more bytes of the peer.
        case wantsInput
        /// The handshake is done.
        case finished
        /// The handshake failed; an alert may wait in the output.
        case failed(TLSFailure)
    }

    /// The reason why a decryption stopped.
    package enum ReadStep: Equatable, Sendable {
        /// The next plaintext needs more bytes of the peer.
        case wantsInput
        /// The plaintext reached the limit; there may be more.
        case limited
        /// The peer sent close_notify.
        case closed
        /// The connection is broken.
        case failed(TLSFailure)
    }

    let connection: TLSConnectionHandle

    /// Creates an engine in the server's role, for the client's side of a tunnel.
    ///
    /// - Parameters:
    ///   - context: An accepting context.
    ///   - identity: The certificate chain to present, with its key.
    ///   - scope: The scope that sessions are bound to; a session of another scope is not resumed.
    ///   - applicationProtocol: The protocol that is selected if the client offers ALPN. A client that offers
    ///     only others is refused (`no_application_protocol`). With `nil` none is selected.
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
        // OpenSSL limits the identifier to 32 bytes (SSL_MAX_SID_CTX_LENGTH), hence the digest.
        let scope = Digest.sha256(Array(scope.utf8))
        SSL_set_session_id_context(ssl, scope, UInt32(scope.count))
        self.connection = connection
        try present(identity)
    }

    /// Presents a chain to clients that prefer its kind of key.
    ///
    /// An earlier chain with another kind of key stays.
    ///
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses it.
    package func present(_ identity: Identity) throws(CryptoFailure) {
        guard SSL_use_certificate(ssl, identity.chain.first?.handle.pointer) == 1,
            SSL_use_PrivateKey(ssl, identity.key.handle.pointer) == 1
        else { throw .drainingQueue("could not present the certificate") }
        for certificate in identity.chain.dropFirst() {
            pinhole_SSL_add1_chain_cert(ssl, certificate.handle.pointer)
        }
    }

    /// Creates an engine in the client's role, for the server's side of a tunnel.
    ///
    /// - Parameters:
    ///   - context: A connecting context.
    ///   - judge: The judge of the server's chain; the certificate must name the judge's host.
    ///   - serverName: The name for SNI; `nil` for none, as for an IP literal (RFC 6066 §3).
    ///   - applicationProtocols: The protocols to offer in ALPN, best first; empty for no offer.
    ///   - session: A session to resume.
    ///   - groups: The groups to offer, in the notation of OpenSSL 3.5; `nil` for those of the context.
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses a value.
    package init(
        connecting context: TLSContext,
        judge: ServerJudge,
        serverName: String?,
        applicationProtocols: [String],
        resuming session: TLSSession? = nil,
        groups: String? = nil
    ) throws(CryptoFailure) {
        let connection = try TLSConnectionHandle(context)
        let ssl = connection.ssl
        connection.channel.pointee.judge = judge
        SSL_set_connect_state(ssl)
        try Self.prepare(ssl, serverName, applicationProtocols, session)
        try Self.expect(judge.host, ssl)
        if let groups, pinhole_SSL_set1_groups_list(ssl, groups) != 1 {
            throw .drainingQueue("could not offer the groups \(groups)")
        }
        self.connection = connection
    }

    /// Creates an engine in the client's role that stops for the questions of ``TLSQuestion``.
    ///
    /// - Parameters:
    ///   - context: A connecting context; its anchors and its identity are not used.
    ///   - serverName: The name for SNI; `nil` for none, as for an IP literal (RFC 6066 §3).
    ///   - applicationProtocols: The protocols to offer in ALPN, best first; empty for no offer.
    ///   - session: A session to resume. Then the server sends no certificate, and there is no question about one.
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

    /// The questions to OpenSSL about this connection, each of which is answered in every state.
    var questions: ConnectionQuestions { connection.questions }

    var channel: UnsafeMutablePointer<TLSChannel> { connection.channel }

    /// Continues the handshake as far as the input allows.
    ///
    /// - Parameters:
    ///   - input: Encrypted bytes from the peer; the engine consumes the bytes that it uses.
    ///   - output: Receives encrypted bytes for the peer.
    /// - Returns: The state of the handshake; `wantsInput` also if ``question`` waits for an answer.
    package func handshake(_ input: inout ByteQueue, _ output: inout ByteQueue) -> HandshakeStep {
        let result = lending(&input, &output) { shakeHands() }
        if result == 1 { return .finished }
        switch questions.errorKind(of: result) {
        case SSL_ERROR_WANT_READ: return .wantsInput
        case SSL_ERROR_WANT_RETRY_VERIFY, SSL_ERROR_WANT_X509_LOOKUP:
            return question == nil ? .failed(failure(result)) : .wantsInput
        default: return .failed(failure(result))
        }
    }

    /// Decrypts the bytes in `input`.
    ///
    /// - Parameters:
    ///   - input: Encrypted bytes from the peer; the engine consumes the bytes that it uses.
    ///   - plain: Receives the plaintext.
    ///   - limit: The number of bytes in `plain` at which decryption stops; it may be exceeded by one record.
    ///   - output: Receives messages of TLS itself (key updates, alerts).
    /// - Returns: The reason why decryption stopped.
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
                    // Asking libssl without any input costs as much as a small record.
                    if isDry { return .wantsInput }
                    continue
                }
                switch questions.errorKind(of: result) {
                case SSL_ERROR_WANT_READ: return .wantsInput
                case SSL_ERROR_ZERO_RETURN: return .closed
                default: return .failed(failure(result))
                }
            }
            return .limited
        }
    }

    /// Encrypts the first `count` bytes of `plain` and consumes them.
    ///
    /// - Parameters:
    ///   - plain: Plaintext; at least `count` bytes.
    ///   - count: The number of bytes to encrypt.
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

    /// Whether libssl has no input left.
    ///
    /// Read this only while the queues are lent.
    private var isDry: Bool {
        channel.pointee.input?.pointee.isEmpty == true && !channel.pointee.isAtEnd && !hasPending
    }

    /// Announces the end of the data to the peer (close_notify).
    package func close(into output: inout ByteQueue) {
        var nothing = ByteQueue()
        lending(&nothing, &output) { _ = SSL_shutdown(ssl) }
        OpenSSLQueue.clear()
    }

    /// Frees the buffers for records if they are empty: an idle connection needs none.
    ///
    /// `SSL_MODE_RELEASE_BUFFERS` frees them only after a call without input, which
    /// ``decrypt(_:into:limit:output:)`` avoids. In the middle of a record nothing is freed: OpenSSL before
    /// 3.0.14 would free the buffers and then use them (CVE-2024-4741).
    package func releaseBuffers() {
        if questions.isBetweenRecords { SSL_free_buffers(ssl) }
    }

    /// Tells the engine that the peer's stream has ended.
    package func receiveEnd() {
        channel.pointee.isAtEnd = true
    }

    /// Takes the newest session that the server offered.
    ///
    /// A second call returns `nil` until the server offers another one.
    package func takeSession() -> TLSSession? {
        channel.pointee.session.take()
    }

    /// Whether decrypted bytes wait inside the engine.
    package var hasPending: Bool { questions.hasPending }

    /// The last alert that the peer sent.
    package var alertReceived: Alert? { channel.pointee.alertReceived }

    /// The last alert that this side sent.
    package var alertSent: Alert? { channel.pointee.alertSent }

    /// The result of verifying the server's chain; `nil` before that, and in a resumed handshake.
    package var verification: ChainVerification? { channel.pointee.verification }

    /// The newest version that this side speaks.
    package var newestVersion: TLSVersion { connection.context.newestVersion }

    /// Whether the server asked for a client certificate.
    package var requestedClientCertificate: Bool { channel.pointee.requestedClientCertificate }

    /// Whether this handshake resumed a session; `false` before both sides have agreed.
    package var isResumed: Bool { questions.agreed?.isResumed ?? false }

    /// The agreed version (`TLSv1.3`), as OpenSSL names it; `nil` before both sides have agreed.
    package var version: String? { questions.agreed?.version }

    /// The agreed cipher suite by its standard name; `nil` before both sides have agreed.
    package var cipher: String? { questions.agreed?.cipher }

    /// The agreed group of the key exchange by its name at IANA; `nil` without such an exchange.
    package var group: String? { questions.agreed?.group }

    /// The agreed application protocol; `nil` if there is none.
    package var applicationProtocol: String? { questions.agreed?.applicationProtocol }

    /// The client certificate that this side presented; `nil` if it presented none.
    package var presentedClientCertificate: Certificate? {
        guard requestedClientCertificate, let own = questions.ownCertificate else { return nil }
        return try? Certificate(borrowing: own)
    }

    /// The leaf that the peer presented in this handshake or in the one that was resumed; `nil` if there is none.
    package var peerCertificate: Certificate? {
        guard let pointer = questions.agreed?.takePeerCertificate() else { return nil }
        defer { X509_free(pointer) }
        return try? Certificate(borrowing: pointer)
    }

    /// A secret value that only the two ends of this connection know (RFC 9266); `nil` before the handshake is done.
    package var channelBinding: [UInt8]? {
        questions.finished?.keyingMaterial(label: "EXPORTER-Channel-Binding", count: 32)
    }

    /// The registered name of the channel binding type of ``channelBinding``.
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
        let parameters = ConnectionQuestions(ssl).verificationParameters
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

    /// Lends the queues to the BIO for the duration of `call`.
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
