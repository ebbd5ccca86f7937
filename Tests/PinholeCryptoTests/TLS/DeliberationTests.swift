import PinholeCrypto
import PinholeModel
import PinholeTestKit
import PinholeTrust
import Testing

@Suite("TLSDeliberation")
struct DeliberationTests {
    private static let shared = Result { try TestWorld() }
    private let world: TestWorld

    init() throws { world = try Self.shared.get() }

    private func pair(_ version: TLSVersion, demanding anchors: [Certificate] = []) throws -> TLSPair {
        let trust = try TrustAnchors(system: false, additional: [])
        return TLSPair(
            client: try TLSEngine(
                deliberating: try TLSContext(connectingVersions: version...version, trust: trust),
                serverName: "www.example.com",
                applicationProtocols: ["http/1.1"]
            ),
            server: try TLSEngine(
                accepting: try TLSContext(acceptingVersions: .tls12 ... .tls13, clientAnchors: anchors),
                presenting: try identity(),
                scope: "a",
                applicationProtocol: "http/1.1"
            )
        )
    }

    private func identity() throws -> Identity {
        try world.serverMinter.mint(
            LeafRequest(names: [.name("www.example.com")], fault: nil),
            now: world.now
        )
    }

    @Test(
        "the handshake waits with the server's chain, and goes on when it is accepted",
        arguments: TLSVersion.allCases
    )
    func accepted(version: TLSVersion) throws {
        let pair = try pair(version)
        pair.shake(chunk: 4096)
        #expect(pair.client.question == .serverCertificate)
        #expect(!pair.isDone)
        #expect(pair.client.presentedChain.first?.subjectAlternativeNames == [.name("www.example.com")])
        #expect(pair.client.stapledResponse == nil)
        // Asking again without a response changes nothing.
        pair.shake(chunk: 4096)
        #expect(pair.client.question == .serverCertificate)
        pair.client.acceptServerCertificate()
        pair.shake(chunk: 4096)
        #expect(pair.isDone)
        #expect(pair.client.question == nil)
        #expect(try pair.send([1, 2, 3]) == [1, 2, 3])
    }

    @Test(
        "a refusal reaches the server as the alert that OpenSSL's own clients send",
        arguments: [
            (nil, 42), (.untrusted, 48), (.selfSigned, 48), (.notAuthority, 48), (.pathTooLong, 48),
            (.expired, 45), (.notYetValid, 42), (.wrongName, 42), (.badSignature, 51), (.wrongPurpose, 43),
            (.revoked, 44), (.weakKey, 42), (.nameConstraints, 46), (.unknownExtension, 46),
        ] as [(ChainFault.Kind?, UInt8)]
    )
    func refused(fault: ChainFault.Kind?, alert: UInt8) throws {
        for version in TLSVersion.allCases {
            let pair = try pair(version)
            pair.shake(chunk: 4096)
            pair.client.refuseServerCertificate(for: fault)
            pair.shake(chunk: 4096)
            #expect(!pair.isDone)
            #expect(pair.client.alertSent?.code == alert)
            #expect(pair.server.alertReceived?.code == alert)
        }
    }

    @Test("the question about our certificate comes second", arguments: TLSVersion.allCases, [true, false])
    func clientCertificate(version: TLSVersion, presents: Bool) throws {
        let alice = try identity()
        let pair = try pair(version, demanding: [alice.chain.last ?? alice.certificate])
        pair.shake(chunk: 4096)
        pair.client.acceptServerCertificate()
        pair.shake(chunk: 4096)
        #expect(pair.client.question == .clientCertificate)
        #expect(pair.client.requestedClientCertificate)
        #expect(pair.client.acceptedAuthorities == [alice.chain.last?.subject])
        try pair.client.answerClientCertificate(presents ? alice : nil)
        pair.shake(chunk: 4096)
        // A certificate for servers is refused as well, but it was presented.
        #expect((pair.client.presentedClientCertificate == alice.certificate) == presents)
        #expect(pair.server.alertSent != nil)
    }
}
