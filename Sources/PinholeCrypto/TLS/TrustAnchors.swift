import COpenSSL
import PinholeLock

/// The anchors that servers' chains must lead to.
///
/// Sendable: OpenSSL locks the look-ups and additions of an `X509_STORE`.
package final class TrustAnchors: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Whether the system's CAs are to be read.
    private let awaitsSystem: Lock<Bool>

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - system: Whether the system's CAs are trusted (`SSL_CERT_FILE`, `SSL_CERT_DIR` or OpenSSL's default).
    ///   - additional: More CAs to trust.
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses one.
    package init(system: Bool, additional: [Certificate]) throws(CryptoFailure) {
        OpenSSLQueue.clear()
        guard let store = X509_STORE_new() else { throw .drainingQueue("could not create a trust store") }
        pointer = store
        awaitsSystem = Lock(system)
        for certificate in additional {
            guard X509_STORE_add_cert(store, certificate.handle.pointer) == 1 else {
                throw .drainingQueue("could not trust “\(certificate.subject)”")
            }
        }
        // An added CA is an anchor even if it is an intermediate or a leaf.
        if !additional.isEmpty { X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN)) }
    }

    /// Reads the system's CAs, unless that was done before.
    ///
    /// The reading takes 20 to 30 ms, a fifth of the start of a program, so the first connection does it.
    func load() {
        awaitsSystem.withLock { awaitsSystem in
            guard awaitsSystem else { return }
            awaitsSystem = false
            X509_STORE_set_default_paths(pointer)
            // A missing default file leaves an error in the queue.
            OpenSSLQueue.clear()
        }
    }

    /// Creates a store with the system's CAs and the certificates in `files`.
    ///
    /// - Throws: ``CryptoFailure`` when a file cannot be read or holds no certificate.
    package convenience init(systemAnd files: [String]) throws(CryptoFailure) {
        var additional: [Certificate] = []
        for file in files { additional += try TrustBundle(path: file).certificates }
        try self.init(system: true, additional: additional)
    }

    /// Creates a store with only `certificates`, without flags.
    init(_ certificates: [X509Handle]) throws(CryptoFailure) {
        OpenSSLQueue.clear()
        guard let store = X509_STORE_new() else { throw .drainingQueue("could not create a trust store") }
        pointer = store
        awaitsSystem = Lock(false)
        for certificate in certificates where X509_STORE_add_cert(store, certificate.pointer) != 1 {
            throw .drainingQueue("could not trust a certificate")
        }
    }

    deinit { X509_STORE_free(pointer) }
}
