import COpenSSL
import PinholeModel
import Testing

@testable import PinholeCrypto

/// Certificates that OpenSSL parses as a whole, but whose parts it cannot read.
@Suite("Questions about certificates")
struct CertificateQuestionsTests {
    private func handle(_ change: (inout CraftedCertificate) -> Void) throws -> X509Handle {
        let key = try PrivateKey.generateP256()
        var crafted = CraftedCertificate(
            serial: [1],
            subject: "A",
            notBefore: .noon,
            notAfter: .noon + .seconds(60),
            key: key
        )
        change(&crafted)
        return try Certificate(der: try crafted.signed(by: "A", key)).handle
    }

    @Test("about a key of an unknown algorithm are answered with no key and no signature")
    func unknownKey() throws {
        let spki = ASN1.sequence(ASN1.sequence(ASN1.identifier("1.2.3.4")), ASN1.bits([1, 2, 3]))
        let handle = try handle { $0.spki = spki }
        #expect(handle.publicKey == nil)
        OpenSSLQueue.clear()
        #expect(handle.encodedKey == nil && handle.spki == spki)
        #expect(bytes(of: handle.keyBitString) == [1, 2, 3])
        #expect(!handle.isSelfSigned && !handle.isSigned(by: handle))
        #expect(!handle.mayBeIssued(by: handle) && handle.signatureDigest == "SHA256")
        #expect(OpenSSLQueue.drain() == [])
    }

    @Test("about malformed extensions are answered with no")
    func malformedExtension() throws {
        let handle = try handle { $0.set(CraftedCertificate.basicConstraints, [0x30, 5, 1]) }
        #expect(handle.hasInvalidExtension)
        #expect(!handle.isAuthority && handle.pathLength == nil && handle.subjectKeyIdentifier == nil)
        #expect(!handle.mayBeIssued(by: handle))
        #expect(handle.extensions.map(\.kind) == [NID_basic_constraints])
        #expect(handle.firstExtension(NID_basic_constraints)?.content == [0x30, 5, 1])
        #expect(handle.firstExtension(NID_key_usage)?.content == nil)
        #expect(handle.decoded(NID_basic_constraints) { _ in true } == nil)
        #expect(OpenSSLQueue.drain() == [])
    }

    @Test("questions about a repeated extension have no answer")
    func doubledExtension() throws {
        let names = ASN1.sequence(CraftedCertificate.Name.dns("a.example").der)
        let handle = try handle { crafted in
            for _ in 0..<2 {
                crafted.extensions.append(.init(identifier: CraftedCertificate.subjectAltName, value: names))
            }
        }
        #expect(handle.decoded(NID_subject_alt_name) { _ in true } == nil)
        #expect(handle.extensions.compactMap(\.content) == [names, names])
        #expect(OpenSSLQueue.drain() == [])
    }

    @Test("about names are answered without a name, too")
    func names() throws {
        let handle = try handle { $0.issuer = "B" }
        #expect(OpenSSLName.text(of: nil).isEmpty && !OpenSSLName.areEqual(nil, nil))
        #expect(!OpenSSLName.areEqual(handle.subjectName, handle.issuerName))
        #expect(OpenSSLName.areEqual(handle.subjectName, handle.subjectName))
        #expect(OpenSSLName.text(of: handle.issuerName) == "CN=B")
        #expect(!handle.names(.name("a\0b")) && !handle.names(.name("")))
    }
}
