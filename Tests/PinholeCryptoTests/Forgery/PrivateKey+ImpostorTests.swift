import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeCrypto

@Suite("PrivateKey+Impostor")
struct PrivateKeyImpostorTests {
    @Test(
        "a server presents another server's chain with it, and no client accepts its signatures",
        arguments: [KeyAlgorithm.p256, .p384, .rsa2048],
        TLSVersion.allCases
    )
    func refused(algorithm: KeyAlgorithm, version: TLSVersion) throws {
        let world = try TestWorld()
        let day = Duration.seconds(86_400)
        let template = CertificateTemplate(
            commonName: "a.test",
            notBefore: world.now - day,
            notAfter: world.now + day
        )
        let certificate = try template.signed(by: nil, key: try PrivateKey.generate(algorithm))
        let key = try PrivateKey.impostor(of: certificate)
        #expect(key.spki == certificate.spki)
        let pair = TLSPair(
            client: try TLSEngine(
                deliberating: try TLSContext(
                    connectingVersions: version...version,
                    trust: try world.serverTrust()
                ),
                serverName: "a.test",
                applicationProtocols: []
            ),
            server: try TLSEngine(
                accepting: try TLSContext(acceptingVersions: version...version),
                presenting: try Identity(chain: [certificate], key: key),
                scope: "",
                applicationProtocol: nil
            )
        )
        pair.shake()
        pair.client.acceptServerCertificate()
        pair.shake()
        #expect(pair.clientFailure?.kind == .refused(Alert(code: 51, isFatal: true)))
    }

    @Test("a key on explicit curve parameters verifies its own signatures, and has another encoding")
    func ownGenerator() throws {
        let world = try TestWorld()
        let genuine = try CertificateTemplate(
            commonName: "CA",
            notBefore: world.now - .seconds(60),
            notAfter: world.now + .seconds(60)
        ).signed(by: nil, key: try PrivateKey.generateP256())
        let key = try PrivateKey.withOwnGenerator(like: genuine)
        #expect(key.spki != genuine.spki)
        // Both end in the same point.
        #expect(key.spki.suffix(65) == genuine.spki.suffix(65))
        var crafted = CraftedCertificate(
            serial: [1],
            subject: "CA",
            notBefore: genuine.notBefore,
            notAfter: genuine.notAfter,
            key: key
        )
        crafted.setBasicConstraints(authority: true)
        let forged = try Certificate(der: try crafted.signed(by: "CA", key))
        #expect(forged.spki == key.spki)
        #expect(throws: CryptoFailure.self) {
            let rsa = try CertificateTemplate(
                commonName: "RSA",
                notBefore: world.now,
                notAfter: world.now + .seconds(60)
            ).signed(by: nil, key: try PrivateKey.generate(.rsa2048))
            _ = try PrivateKey.withOwnGenerator(like: rsa)
        }
    }
}
