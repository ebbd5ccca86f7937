import COpenSSL
import PinholeLock
package import PinholeTrust

/// An X.509 certificate.
package struct Certificate: Sendable {
    let handle: X509Handle
    /// The DER encoding.
    package let der: [UInt8]
    /// The facts, once they were asked for.
    private let knownFacts: Lock<CertificateFacts?>

    /// Parses DER.
    ///
    /// - Parameter der: One certificate, with no bytes after it.
    /// - Throws: ``CryptoFailure`` when the bytes are no certificate.
    package init(der: [UInt8]) throws(CryptoFailure) {
        self = try Self.recent.value(of: der) { () throws(CryptoFailure) in try Self(parsing: der) }
    }

    private static let recent = ParsedCache<Self>(limit: 512)

    private init(parsing der: [UInt8]) throws(CryptoFailure) {
        OpenSSLQueue.clear()
        guard let pointer = parsed(der, by: d2i_X509, release: X509_free) else {
            throw .drainingQueue("expected one certificate in DER")
        }
        handle = X509Handle(taking: pointer)
        self.der = der
        knownFacts = Lock(nil)
    }

    /// Wraps a certificate that OpenSSL holds.
    init(borrowing pointer: OpaquePointer) throws(CryptoFailure) {
        OpenSSLQueue.clear()
        guard let der = encoded(by: { i2d_X509(pointer, $0) }) else {
            throw .drainingQueue("could not encode a certificate")
        }
        handle = X509Handle(borrowing: pointer)
        self.der = der
        knownFacts = Lock(nil)
    }

    /// The facts that policies compare.
    ///
    /// They are kept, because the lab asks for those of the same certificates with each policy.
    package var facts: CertificateFacts {
        knownFacts.withLock { known in
            if let known { return known }
            let made = makeFacts()
            known = made
            return made
        }
    }

    /// The subject in RFC 2253 form, with characters in UTF-8.
    package var subject: String { OpenSSLName.text(of: handle.subjectName) }

    /// The issuer in RFC 2253 form, with characters in UTF-8.
    package var issuer: String { OpenSSLName.text(of: handle.issuerName) }
}

extension Certificate: Hashable {
    /// Whether both certificates have the same bytes.
    package static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

    /// Hashes the encoding.
    package func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
