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

    @Test("speaks versions that are forbidden with who wants them", arguments: [TLSVersion.tls10, .tls11])
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

    @Test("staples what it is given", arguments: TLSVersion.allCases)
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
}
