import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Synchronization
import Testing

@Suite("TLSEngine")
struct TLSEngineTests {
    private static let shared = Result { try TestWorld() }
    private let world: TestWorld

    init() throws { world = try Self.shared.get() }

    private func identity(_ fault: LeafFault? = nil) throws -> Identity {
        try world.serverMinter.mint(
            LeafRequest(names: [.name("www.example.com")], fault: fault),
            now: world.now
        )
    }

    private func accepting(
        _ context: TLSContext? = nil,
        fault: LeafFault? = nil,
        scope: String = "a",
        selecting: String? = "http/1.1"
    ) throws -> TLSEngine {
        try TLSEngine(
            accepting: try context ?? TLSContext(acceptingVersions: .tls12 ... .tls13),
            presenting: try identity(fault),
            scope: scope,
            applicationProtocol: selecting
        )
    }

    private func connecting(
        _ context: TLSContext? = nil,
        host: String = "www.example.com",
        exemption: String? = nil,
        offering: [String] = ["http/1.1"],
        distrusted: [[UInt8]] = [],
        resuming session: TLSSession? = nil
    ) throws -> TLSEngine {
        let host = try Host(host)
        return try TLSEngine(
            connecting: try context
                ?? TLSContext(connectingVersions: .tls12 ... .tls13, trust: try world.serverTrust()),
            judge: ServerJudge(host: host, exemption: exemption, distrusted: distrusted),
            serverName: host.name,
            applicationProtocols: offering,
            resuming: session
        )
    }

    private func context(_ versions: ClosedRange<TLSVersion>) throws -> TLSContext {
        try TLSContext(connectingVersions: versions, trust: try world.serverTrust())
    }

    @Test("gives its buffers back between records, and never inside one", arguments: TLSVersion.allCases)
    func releasedBuffers(version: TLSVersion) throws {
        let pair = TLSPair(client: try connecting(try context(version...version)), server: try accepting())
        pair.shake()
        let bytes = (0..<3000).map { UInt8(truncatingIfNeeded: $0) }
        for cut in 0..<40 {
            var plain = ByteQueue(bytes)
            var record = ByteQueue()
            try pair.client.encrypt(&plain, count: plain.count, into: &record)
            record.move(cut, to: &pair.toServer)
            var read = pair.readByServer().bytes
            pair.server.releaseBuffers()
            record.move(record.count, to: &pair.toServer)
            read += pair.readByServer().bytes
            pair.server.releaseBuffers()
            #expect(read == bytes)
        }
        #expect(try pair.send([1, 2]) == [1, 2])
    }

    @Test(
        "shakes hands and carries bytes however they are cut",
        arguments: Chunking.sizes,
        TLSVersion.allCases
    )
    func chunks(size: Int, version: TLSVersion) throws {
        let pair = TLSPair(client: try connecting(try context(version...version)), server: try accepting())
        pair.shake(chunk: size)
        #expect(pair.isDone)
        for engine in [pair.client, pair.server] {
            #expect(engine.version == (version == .tls12 ? "TLSv1.2" : "TLSv1.3"))
            #expect(engine.applicationProtocol == "http/1.1")
            #expect(engine.cipher?.hasPrefix("TLS_") == true)
            // OpenSSL offers the hybrid group first from 3.5 on.
            #expect(["x25519", "X25519MLKEM768"].contains(engine.group))
            #expect(!engine.isResumed)
        }
        let bytes = (0..<100_000).map { UInt8($0 & 255) }
        #expect(try pair.send(bytes) == bytes)
    }

    @Test("agrees on a version within both ranges, or reports that there is none")
    func versions() throws {
        for (client, server, agreed) in [
            (TLSVersion.tls12...TLSVersion.tls13, TLSVersion.tls12...TLSVersion.tls12, "TLSv1.2"),
            (.tls12 ... .tls12, .tls12 ... .tls13, "TLSv1.2"),
            (.tls13 ... .tls13, .tls12 ... .tls13, "TLSv1.3"),
            (.tls13 ... .tls13, .tls12 ... .tls12, nil), (.tls12 ... .tls12, .tls13 ... .tls13, nil),
        ] {
            let pair = TLSPair(
                client: try connecting(try context(client)),
                server: try accepting(try TLSContext(acceptingVersions: server))
            )
            pair.shake()
            #expect(pair.isDone == (agreed != nil))
            if let agreed {
                #expect(pair.client.version == agreed)
            } else {
                #expect(pair.serverFailure?.kind == .noCommonVersion)
                #expect(pair.server.alertSent?.code == 70)
                #expect(pair.clientFailure?.kind == .alertReceived(Alert(code: 70)))
                // What would have been spoken is no agreement.
                #expect(pair.client.version == nil && pair.client.cipher == nil)
            }
        }
    }

    @Test("a server may leave the offer of application protocols without a response")
    func silence() throws {
        var options = ServerOptions()
        options.selectsProtocols = false
        let pair = TLSPair(
            client: try connecting(offering: ["http/1.1"]),
            server: try accepting(try TLSContext(accepting: options), selecting: "http/1.1")
        )
        pair.shake()
        #expect(pair.isDone && pair.client.applicationProtocol == nil)
    }

    @Test("selects the application protocol, none, or refuses with alert 120")
    func alpn() throws {
        for (offer, selecting, agreed, isRefused) in [
            (["h2", "http/1.1"], "http/1.1", "http/1.1", false), (["h2"], "http/1.1", nil, true),
            ([], "http/1.1", nil, false), (["h2"], nil, nil, false),
        ] as [([String], String?, String?, Bool)] {
            let pair = TLSPair(
                client: try connecting(offering: offer),
                server: try accepting(selecting: selecting)
            )
            pair.shake()
            #expect(pair.isDone == !isRefused)
            #expect(pair.client.applicationProtocol == agreed)
            if isRefused {
                #expect(pair.serverFailure?.kind == .noCommonProtocol)
                #expect(pair.server.alertSent?.code == 120 && pair.client.alertReceived?.code == 120)
            }
        }
    }

    @Test("resumes a session within its scope and not across", arguments: TLSVersion.allCases)
    func resumption(version: TLSVersion) throws {
        let server = try TLSContext(acceptingVersions: version...version)
        let client = try context(version...version)
        let first = TLSPair(client: try connecting(client), server: try accepting(server))
        first.shake()
        #expect(try first.send([1]) == [1])
        _ = first.readByClient()
        let session = try #require(first.client.takeSession())
        #expect(first.client.takeSession() == nil)
        #expect(session.isResumable)
        for (scope, isResumed) in [("b", false), ("a", true)] {
            let pair = TLSPair(
                client: try connecting(client, resuming: session),
                server: try accepting(server, scope: scope)
            )
            pair.shake()
            #expect(pair.isDone)
            #expect(pair.client.isResumed == isResumed && pair.server.isResumed == isResumed, "\(scope)")
            #expect((pair.client.verification == nil) == isResumed)
        }
    }

    @Test(
        "early data come before the handshake is done, where a session permits them",
        arguments: [true, false]
    )
    func earlyData(isAccepted: Bool) throws {
        var options = ServerOptions(versions: .tls13 ... .tls13)
        options.acceptsEarlyData = true
        let generous = try TLSContext(accepting: options)
        let client = try context(.tls13 ... .tls13)
        let first = TLSPair(client: try connecting(client), server: try accepting(generous))
        first.shake()
        #expect(try first.send([1]) == [1])
        _ = first.readByClient()
        let session = try #require(first.client.takeSession())
        #expect(session.mostEarlyData == 16_384)
        // Another scope does not resume the session, so what went ahead is lost.
        let pair = TLSPair(
            client: try connecting(client, resuming: session),
            server: try accepting(generous, scope: isAccepted ? "a" : "b")
        )
        #expect(pair.client.sendEarly([7, 8, 9], into: &pair.toServer))
        // The ClientHello and what goes with it are enough: the client has not heard anything yet.
        var answer = ByteQueue()
        #expect(pair.server.handshake(&pair.toServer, &answer) == .wantsInput)
        #expect(pair.server.takeEarlyData() == (isAccepted ? [7, 8, 9] : []))
        pair.toClient = answer
        pair.shake()
        #expect(pair.isDone && pair.client.isResumed == isAccepted)
        #expect(pair.client.acceptsEarlyData == isAccepted)
        #expect(try pair.send([2]) == [2])
    }

    @Test("finds the faults of a server's chain", arguments: 0..<6)
    func faults(index: Int) throws {
        let day = Duration.seconds(86_400)
        let now = world.now
        let cases: [(LeafFault?, String, ServerFault.Kind)] = [
            (.expired(notBefore: now - day - day, notAfter: now - day), "www.example.com", .expired),
            (.notYetValid(notBefore: now + day, notAfter: now + day + day), "www.example.com", .notYetValid),
            (nil, "www.example.org", .wrongName), (.untrusted, "www.example.com", .untrusted),
            (.selfSigned, "www.example.com", .untrusted), (nil, "192.0.2.1", .wrongName),
        ]
        let (fault, host, kind) = cases[index]
        for exemption in [nil, "we know"] {
            let pair = TLSPair(
                client: try connecting(host: host, exemption: exemption),
                server: try accepting(fault: fault)
            )
            pair.shake()
            let verification = try #require(pair.client.verification)
            #expect(verification.fault?.kind == kind)
            #expect(verification.exemption == exemption)
            #expect(verification.isAccepted == (exemption != nil) && pair.isDone == (exemption != nil))
            #expect(verification.presented.first == (try identity(fault)).certificate)
            guard exemption == nil else { continue }
            #expect(pair.clientFailure?.kind == .certificateRefused)
            let alert = try #require(pair.client.alertSent)
            #expect((41...49).contains(alert.code))
            #expect(pair.server.alertReceived == alert)
            #expect(pair.serverFailure?.kind == .alertReceived(alert))
        }
    }

    @Test("accepts a good chain and shows the path")
    func goodChain() throws {
        let pair = TLSPair(client: try connecting(), server: try accepting())
        pair.shake()
        let verification = try #require(pair.client.verification)
        #expect(verification.fault == nil && verification.isAccepted)
        #expect(verification.validated.last == world.serverAuthority.root)
    }

    @Test(
        "never accepts its own CA, trusted or not, exempted or not",
        arguments: [true, false],
        [nil, "why not"]
    )
    func ownAuthority(isTrusted: Bool, exemption: String?) throws {
        let trust = try TrustAnchors(system: false, additional: isTrusted ? [world.serverAuthority.root] : [])
        let pair = TLSPair(
            client: try connecting(
                try TLSContext(connectingVersions: .tls12 ... .tls13, trust: trust),
                exemption: exemption,
                distrusted: [world.serverAuthority.certificate.spkiSHA256]
            ),
            server: try accepting()
        )
        pair.shake()
        #expect(pair.client.verification?.fault?.kind == .ownAuthority)
        #expect(pair.client.verification?.exemption == nil)
        #expect(!pair.isDone)
    }

    @Test("knows the ways in which a client certificate comes or does not", arguments: TLSVersion.allCases)
    func clientCertificates(version: TLSVersion) throws {
        let identity = try world.clientIdentity()
        let stranger = try TestWorld().clientIdentity()
        for (own, isAccepted) in [(nil, false), (identity, true), (stranger, false)] as [(Identity?, Bool)] {
            let client = try TLSContext(
                connectingVersions: version...version,
                trust: try world.serverTrust(),
                clientIdentity: own
            )
            let server = try TLSContext(
                acceptingVersions: version...version,
                clientAnchors: [world.serverAuthority.root]
            )
            let pair = TLSPair(client: try connecting(client), server: try accepting(server))
            pair.shake()
            #expect(pair.client.requestedClientCertificate)
            #expect(pair.client.presentedClientCertificate == own?.certificate)
            #expect((pair.serverStep == .finished) == isAccepted)
            guard !isAccepted else { continue }
            // A client of TLS 1.3 is done before the server has looked at its certificate.
            #expect((pair.clientStep == .finished) == (version == .tls13))
            if version == .tls13 {
                guard case .failed(let failure) = pair.readByClient().step else {
                    Issue.record("the client read no alert")
                    continue
                }
                #expect(failure.kind == .alertReceived(Alert(code: own == nil ? 116 : 48)))
            }
            #expect(pair.client.alertReceived != nil)
        }
    }

    @Test("does not say that a certificate was asked for when none was")
    func notAsked() throws {
        let pair = TLSPair(client: try connecting(), server: try accepting())
        pair.shake()
        #expect(!pair.client.requestedClientCertificate && pair.client.presentedClientCertificate == nil)
    }

    @Test("tells an announced end from a cut", arguments: TLSVersion.allCases, [true, false])
    func ends(version: TLSVersion, isAnnounced: Bool) throws {
        let pair = TLSPair(client: try connecting(try context(version...version)), server: try accepting())
        pair.shake()
        var plain = ByteQueue([1, 2, 3])
        try pair.client.encrypt(&plain, count: 3, into: &pair.toServer)
        if isAnnounced { pair.client.close(into: &pair.toServer) }
        pair.server.receiveEnd()
        let (bytes, step) = pair.readByServer()
        #expect(bytes == [1, 2, 3])
        if isAnnounced {
            #expect(step == .closed)
            #expect(pair.server.alertReceived == Alert(code: 0, isFatal: false))
        } else {
            guard case .failed(let failure) = step else {
                Issue.record("\(step)")
                return
            }
            #expect(failure.kind == .truncated)
        }
    }

    @Test("calls an end in the handshake a cut")
    func endInHandshake() throws {
        let server = try accepting()
        var input = ByteQueue([0x16, 3, 1, 2])
        var output = ByteQueue()
        #expect(server.handshake(&input, &output) == .wantsInput)
        server.receiveEnd()
        guard case .failed(let failure) = server.handshake(&input, &output) else {
            Issue.record("the handshake went on")
            return
        }
        #expect(failure.kind == .truncated)
    }

    @Test(
        "refuses bytes that are not TLS",
        arguments: [
            "GET / HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
        ]
    )
    func garbage(text: String) throws {
        for engine in [try accepting(), try connecting()] {
            var input = ByteQueue(Array(text.utf8))
            var output = ByteQueue()
            var step = engine.handshake(&input, &output)
            if step == .wantsInput { step = engine.handshake(&input, &output) }
            guard case .failed(let failure) = step else {
                Issue.record("the handshake went on")
                continue
            }
            #expect(failure.kind == .notTLS, "\(failure.detail)")
            #expect(engine.version == nil && engine.cipher == nil)
        }
    }

    @Test("survives mutated handshakes and records")
    func mutations() throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<150 {
            let pair = TLSPair(client: try connecting(), server: try accepting())
            var clientWire = ByteQueue()
            var serverWire = ByteQueue()
            for _ in 0..<4 {
                _ = pair.client.handshake(&pair.toClient, &clientWire)
                pair.toServer.append(mutated(&clientWire, &random))
                _ = pair.server.handshake(&pair.toServer, &serverWire)
                pair.toClient.append(mutated(&serverWire, &random))
            }
            _ = pair.readByClient()
            _ = pair.readByServer()
            pair.client.close(into: &pair.toServer)
        }
    }

    private func mutated(_ wire: inout ByteQueue, _ random: inout SeededRandom) -> [UInt8] {
        var bytes = wire.prefix()
        wire.removeAll()
        if Int.random(in: 0..<3, using: &random) == 0, let index = bytes.indices.randomElement(using: &random)
        {
            bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        return bytes
    }

    @Test("fails to encrypt after a fatal alert instead of trapping")
    func encryptAfterFailure() throws {
        let pair = TLSPair(client: try connecting(host: "other.test"), server: try accepting())
        pair.shake()
        var plain = ByteQueue([1])
        #expect(throws: TLSFailure.self) {
            try pair.client.encrypt(&plain, count: 1, into: &pair.toServer)
        }
    }

    @Test("stops writing at the limit, and continues after the queue was read")
    func limit() throws {
        let pair = TLSPair(client: try connecting(), server: try accepting())
        pair.shake()
        var plain = ByteQueue([UInt8](repeating: 7, count: 100_000))
        try pair.client.encrypt(&plain, count: 100_000, into: &pair.toServer)
        var read = ByteQueue()
        var steps = 0
        while read.count < 100_000 {
            var part = ByteQueue()
            let step = pair.server.decrypt(&pair.toServer, into: &part, limit: 20_000, output: &pair.toClient)
            #expect(part.count <= 20_000 + 16_384)
            #expect(step == .limited || read.count + part.count == 100_000)
            part.move(part.count, to: &read)
            steps += 1
        }
        #expect(steps > 2)
    }
}
