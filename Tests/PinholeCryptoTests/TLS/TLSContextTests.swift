import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeTestKit
import Testing

@Suite("TLSContext")
struct TLSContextTests {
    private final class Lines: Sendable {
        let all = Lock<[String]>([])
    }

    @Test("writes the key log of both sides", arguments: TLSVersion.allCases)
    func keyLog(version: TLSVersion) throws {
        let world = try TestWorld()
        let client = Lines()
        let server = Lines()
        let pair = TLSPair(
            client: try TLSEngine(
                connecting: try TLSContext(
                    connectingVersions: version...version,
                    trust: try world.serverTrust(),
                    keyLog: { line in client.all.withLock { $0.append(line) } }
                ),
                judge: ServerJudge(host: .name("a.test"), exemption: nil, distrusted: []),
                serverName: "a.test",
                applicationProtocols: []
            ),
            server: try TLSEngine(
                accepting: try TLSContext(
                    acceptingVersions: version...version,
                    keyLog: { line in server.all.withLock { $0.append(line) } }
                ),
                presenting: try world.serverMinter.mint(
                    LeafRequest(names: [.name("a.test")]),
                    now: world.now
                ),
                scope: "",
                applicationProtocol: nil
            )
        )
        pair.shake()
        #expect(pair.isDone)
        let lines = client.all.withLock { $0 }
        #expect(Set(lines) == Set(server.all.withLock { $0 }))
        #expect(lines.count == (version == .tls12 ? 1 : 5))
        for line in lines {
            let words = line.split(separator: " ")
            #expect(words.count == 3 && words[1].count == 64)
        }
        #expect(
            lines.contains { $0.hasPrefix(version == .tls12 ? "CLIENT_RANDOM " : "CLIENT_TRAFFIC_SECRET_0 ") }
        )
    }

    private func pair(
        _ options: ServerOptions,
        _ versions: ClosedRange<TLSVersion>,
        _ strength: TLSStrength
    ) throws -> TLSPair {
        let world = try TestWorld()
        let identity = try world.serverMinter.mint(LeafRequest(names: [.name("a.test")]), now: world.now)
        return TLSPair(
            client: try TLSEngine(
                deliberating: try TLSContext(
                    connectingVersions: versions,
                    trust: try world.serverTrust(),
                    strength: strength
                ),
                serverName: "a.test",
                applicationProtocols: []
            ),
            server: try TLSEngine(
                accepting: try TLSContext(accepting: options),
                presenting: identity,
                scope: "",
                applicationProtocol: nil
            )
        )
    }

    @Test("speaks forbidden versions with peers that ask for them", arguments: [TLSVersion.tls10, .tls11])
    func oldVersions(version: TLSVersion) throws {
        let options = ServerOptions(versions: version...version, strength: .none)
        let good = try pair(options, .tls12 ... .tls13, .standard)
        good.shake()
        #expect(!good.isDone)
        let bad = try pair(options, version ... .tls13, .none)
        bad.shake()
        bad.client.acceptServerCertificate()
        bad.shake()
        #expect(bad.isDone)
        #expect(bad.client.version == (version == .tls10 ? "TLSv1" : "TLSv1.1"))
    }

    @Test("needs no certificate, and does not encrypt, where both sides want it so")
    func weakCiphers() throws {
        for strength in [TLSStrength.anonymous, .cleartext] {
            let options = ServerOptions(versions: .tls12 ... .tls12, strength: strength)
            let good = try pair(options, .tls12 ... .tls13, .standard)
            good.shake()
            #expect(!good.isDone)
            let bad = try pair(options, .tls12 ... .tls12, strength)
            bad.shake()
            #expect((bad.client.question == .serverCertificate) == (strength == .cleartext))
            bad.client.acceptServerCertificate()
            bad.shake()
            #expect(bad.isDone, "\(strength)")
        }
    }

    @Test("refuses a cipher list that does not exist")
    func badList() {
        #expect(throws: CryptoFailure.self) {
            try TLSContext(accepting: ServerOptions(strength: TLSStrength(cipherList: "NO-SUCH-CIPHER")))
        }
    }

    @Test("staples the given OCSP response", arguments: TLSVersion.allCases)
    func staple(version: TLSVersion) throws {
        let pair = try pair(
            ServerOptions(stapledResponse: [1, 2, 3]),
            version...version,
            .standard
        )
        pair.shake()
        pair.client.acceptServerCertificate()
        pair.shake()
        #expect(pair.isDone)
        #expect(pair.client.stapledResponse == [1, 2, 3])
    }

    @Test("a client certificate that is asked for need not be there", arguments: [true, false])
    func clientCertificate(isDemanded: Bool) throws {
        let world = try TestWorld()
        var options = ServerOptions(clientAnchors: [world.proxyAuthority.root])
        options.demandsClientCertificate = isDemanded
        let pair = try pair(options, .tls12 ... .tls12, .standard)
        pair.shake()
        pair.client.acceptServerCertificate()
        pair.shake()
        #expect(pair.client.question == .clientCertificate)
        try pair.client.answerClientCertificate(nil)
        pair.shake()
        #expect(pair.isDone == !isDemanded)
    }

    @Test("asks for another ClientHello where the group is another")
    func groups() throws {
        var options = ServerOptions(versions: .tls13 ... .tls13)
        options.groups = "P-384"
        let pair = try pair(options, .tls13 ... .tls13, .standard)
        var hello = ByteQueue()
        var answer = ByteQueue()
        #expect(pair.client.handshake(&pair.toClient, &hello) == .wantsInput)
        #expect(pair.server.handshake(&hello, &answer) == .wantsInput)
        // RFC 8446 §4.1.3: the random of a HelloRetryRequest is the SHA-256 of its name.
        let random = Digest.sha256(Array("HelloRetryRequest".utf8))
        #expect(answer.prefix().firstRange(of: random) != nil)
        options.groups = "P-9999"
        #expect(throws: CryptoFailure.self) { try TLSContext(accepting: options) }
    }

    @Test("a server with two kinds of keys presents its preferred certificate")
    func signatures() throws {
        let template = CertificateTemplate(
            commonName: "RSA",
            notBefore: Timestamp(seconds: 0),
            notAfter: Timestamp(seconds: 4_000_000_000)
        )
        let key = try PrivateKey.generateRSA(2048)
        let alternative = try Identity(chain: [template.signed(by: nil, key: key)], key: key)
        for (signatures, kind) in [("RSA-PSS+SHA256:ECDSA+SHA256", "RSA 2048"), ("ECDSA+SHA256", "P-256")] {
            var options = ServerOptions(versions: .tls13 ... .tls13)
            options.signatures = signatures
            let pair = try pair(options, .tls13 ... .tls13, .standard)
            try pair.server.present(alternative)
            pair.shake()
            #expect(pair.client.presentedChain.first?.keyDescription == kind)
        }
        #expect(throws: CryptoFailure.self) {
            var options = ServerOptions()
            options.signatures = "NO-SUCH-KIND"
            _ = try TLSContext(accepting: options)
        }
    }
}
