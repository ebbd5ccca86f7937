import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeCrypto

@Suite("PrivateKey+Impostor")
struct PrivateKeyImpostorTests {
    @Test(
        "a server presents another's chain with it, and no client accepts what it signs",
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
}
