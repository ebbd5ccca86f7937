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
}
