import COpenSSL

/// Owns a reference to an `X509`.
///
/// Sendable: a certificate is never changed after its creation. OpenSSL guards the parts that it computes
/// later (extension cache, encoding) with its own locks.
final class X509Handle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over one reference.
    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    /// Adds a reference.
    convenience init(borrowing pointer: OpaquePointer) {
        X509_up_ref(pointer)
        self.init(taking: pointer)
    }

    deinit { X509_free(pointer) }
}

/// Owns an `X509_CRL`.
final class RevocationListHandle {
    let pointer: OpaquePointer

    init(der: [UInt8]) throws(CryptoFailure) {
        OpenSSLQueue.clear()
        guard let pointer = parsed(der, by: d2i_X509_CRL, release: X509_CRL_free) else {
            throw .drainingQueue("expected one certificate revocation list in DER")
        }
        self.pointer = pointer
    }

    deinit { X509_CRL_free(pointer) }
}

/// Owns a reference to an `EVP_PKEY`.
///
/// Sendable: a key is never changed after its creation. OpenSSL 3 guards its caches with locks.
final class PKeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over one reference.
    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }
}
