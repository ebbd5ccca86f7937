import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@Suite("PublicKey")
struct PublicKeyTests {
    @Test("is the key of its certificate, in every form", arguments: KeyAlgorithm.allCases)
    func certificate(algorithm: KeyAlgorithm) throws {
        let key = try PrivateKey.generate(algorithm)
        let now = Timestamp(seconds: 1_795_000_000)
        let template = CertificateTemplate(commonName: "a", notBefore: now, notAfter: now + .seconds(60))
        let certificate = try template.signed(by: nil, key: key)
        let fromDER = try PublicKey(der: certificate.spki)
        #expect(fromDER.spki == certificate.spki && fromDER.keyDescription == certificate.keyDescription)
        #expect(fromDER.rawKey.map { Digest.sha256($0) } == certificate.facts.rawKeySHA256)
        let text = PEM.encode(certificate.spki, label: "PUBLIC KEY") + (try key.pem) + certificate.pem
        let keys = try PublicKey.keys(in: PEM.blocks(in: Array(text.utf8)))
        #expect(keys.map(\.spki) == [certificate.spki, certificate.spki])
    }

    @Test("accepts its own signature over the same bytes, and no other")
    func signatures() throws {
        let key = try PrivateKey.generateP256()
        let signature = try key.signature(over: [1, 2, 3], digest: .sha256)
        #expect(PublicKey(of: key).hasSigned([1, 2, 3], signature))
        #expect(!PublicKey(of: key).hasSigned([1, 2], signature))
        #expect(!PublicKey(of: key).hasSigned([1, 2, 3], []))
        #expect(!PublicKey(of: try PrivateKey.generateP256()).hasSigned([1, 2, 3], signature))
    }

    @Test("refuses a file without a key, or with more than one")
    func damaged() throws {
        let spki = try PrivateKey.generateP256().spki
        for der in [[], [0x30, 0x00], Array(spki.dropLast()), spki + [0x00]] as [[UInt8]] {
            #expect(throws: CryptoFailure.self) { try PublicKey(der: der) }
        }
        let text = "-----BEGIN PUBLIC KEY-----\n%%%\n-----END PUBLIC KEY-----\n"
        #expect(throws: CryptoFailure.self) { try PublicKey.keys(in: PEM.blocks(in: Array(text.utf8))) }
    }
}
