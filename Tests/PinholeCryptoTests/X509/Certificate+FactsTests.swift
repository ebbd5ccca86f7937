import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@Suite("Certificate facts")
struct CertificateFactsTests {
    @Test("tell the SPKI from the raw key, for each kind of key", arguments: KeyAlgorithm.allCases)
    func keys(algorithm: KeyAlgorithm) throws {
        let key = try PrivateKey.generate(algorithm)
        let template = CertificateTemplate(
            commonName: "facts",
            notBefore: Timestamp(seconds: 0),
            notAfter: Timestamp(seconds: 4_000_000_000)
        )
        let facts = try template.signed(by: nil, key: key).facts
        #expect(facts.spki == key.spki && facts.key == key.spki)
        let raw = try #require(facts.rawKeySHA256)
        #expect(raw != facts.spkiSHA256)
        // The raw key is the end of the SPKI, behind the algorithm and the head of the BIT STRING.
        #expect((1..<40).contains { Digest.sha256(Array(facts.spki.dropFirst($0))) == raw })
        let expected: CertificateFacts.Key =
            switch algorithm {
            case .p256: .curve("prime256v1")
            case .p384: .curve("secp384r1")
            case .rsa2048: .rsa(2048)
            case .rsa3072: .rsa(3072)
            }
        #expect(facts.keyKind == expected)
        #expect(facts.isSelfSigned && facts.subject == "CN=facts")
    }
}
