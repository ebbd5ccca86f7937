import COpenSSL

/// Owns an `SSL` and the channel that its callbacks use.
final class TLSConnectionHandle {
    let ssl: OpaquePointer
    let channel: UnsafeMutablePointer<TLSChannel>
    let context: TLSContext

    /// The questions to OpenSSL about this connection.
    var questions: ConnectionQuestions { ConnectionQuestions(ssl) }

    /// Creates a connection of `context`.
    init(_ context: TLSContext) throws(CryptoFailure) {
        context.trust?.load()
        OpenSSLQueue.clear()
        guard let ssl = SSL_new(context.pointer) else {
            throw .drainingQueue("could not create a TLS connection")
        }
        channel = UnsafeMutablePointer<TLSChannel>.allocate(capacity: 1)
        channel.initialize(to: TLSChannel(stapled: context.stapled, keyLog: context.keyLog))
        self.ssl = ssl
        self.context = context
        pinhole_SSL_set_app_data(ssl, channel)
        guard let bio = TLSChannelBIO.make(over: channel) else {
            throw .drainingQueue("could not create a BIO")
        }
        SSL_set_bio(ssl, bio, bio)
    }

    deinit {
        // OpenSSL does not resume the session of a connection that was freed without close_notify. RFC 5246
        // §7.2.1 and RFC 8446 allow it, and pooled connections often end without one.
        SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(ssl)
        channel.deinitialize(count: 1)
        channel.deallocate()
    }
}
