import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Handshakes with real TLS on both sides: what they agree on, how they fail, what is recorded.
@Suite("HandshakeStack")
struct HandshakeStackTests {
    private let request = "GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n"

    @Test("records both handshakes with their chains", arguments: TLSVersion.allCases)
    func bothSides(version: TLSVersion) throws {
        let world = try Tunnels.world
        let harness = try Tunnels.intercepted(
            versions: version...version,
            server: try world.server(for: "www.example.com", versions: version...version)
        )
        let flow = try #require(harness.flow)
        let server = try #require(flow.serverHandshake)
        let client = try #require(flow.clientHandshake)
        for handshake in [server, client] {
            #expect(handshake.failure == nil)
            #expect(handshake.version == (version == .tls12 ? "TLSv1.2" : "TLSv1.3"))
            #expect(handshake.serverName == "www.example.com")
            #expect(handshake.applicationProtocol == "http/1.1")
            #expect(handshake.presentedChain.count == 2)
        }
        #expect(server.validatedChain.count == 2)
        #expect(client.presentedChain.last == world.proxyAuthority.certificate.der)
        #expect(harness.minted == [LeafRequest(names: [.name("www.example.com")])])
        #expect(flow.clientHello?.applicationProtocols == ["http/1.1"])
    }

    static func faults(_ now: Timestamp) throws -> [(fault: LeafFault, words: String)] {
        let day = Duration.seconds(86_400)
        return [
            (.expired(notBefore: now - day - day, notAfter: now - day), "expired on"),
            (.notYetValid(notBefore: now + day, notAfter: now + day + day), "not valid before"),
            (.wrongName(names: [try Host("other.test")]), "is for other.test, not for www.example.com"),
            (.untrusted, "leads to no trusted CA"), (.selfSigned, "leads to no trusted CA"),
        ]
    }

    @Test("answers with a page that names the fault of the server's certificate", arguments: 0..<5)
    func refused(index: Int) throws {
        let world = try Tunnels.world
        let (fault, words) = try Self.faults(world.now)[index]
        let harness = try Tunnels.intercepted(server: try world.server(for: "www.example.com", fault: fault))
        harness.client.send(request)
        harness.pump()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 502 "))
        #expect(harness.client.text.contains(words), "\(harness.client.text)")
        #expect(harness.client.text.contains("tls.exemptions"))
        let handshake = try #require(harness.flow?.serverHandshake)
        #expect(handshake.failure?.cause == .serverCertificateRefused)
        #expect(handshake.presentedChain.count >= 1)
        #expect(harness.server?.text == "")
        #expect(harness.server?.sawEnd != nil)
    }

    @Test("forges the same fault in mirror mode", arguments: 0..<5)
    func mirrored(index: Int) throws {
        let world = try Tunnels.world
        let (fault, words) = try Self.faults(world.now)[index]
        var policy = world.policy()
        policy.servers.badCertificate = .mirror
        let harness = try Tunnels.intercepted(
            policy: policy,
            server: try world.server(for: "www.example.com", fault: fault)
        )
        #expect(harness.client.failure?.kind == .certificateRefused)
        let theirs = try #require(harness.client.tls?.verification?.fault)
        let ours = try #require(harness.minted.first?.fault)
        switch (fault, ours) {
        case (.expired, .expired), (.notYetValid, .notYetValid), (.wrongName, .wrongName),
            (.untrusted, .untrusted), (.selfSigned, .selfSigned):
            break
        default: Issue.record("\(fault) became \(ours)")
        }
        #expect(theirs.kind != .ownAuthority)
        #expect(harness.server?.text == "")
        let failure = try #require(harness.flow?.clientHandshake?.failure)
        #expect(failure.cause == .mirroredFaultRefused && failure.endedBy == .client)
        #expect(failure.detail.contains(words), "\(failure.detail)")
        #expect(failure.isHint == [false, true, true, false, false][index], "\(failure)")
        harness.checkEnd()
    }

    @Test("lets an exempted host pass and records why", arguments: 0..<5)
    func exempted(index: Int) throws {
        let world = try Tunnels.world
        let (fault, words) = try Self.faults(world.now)[index]
        var policy = world.policy()
        policy.servers.exemptions = [.init(pattern: try HostPattern("*.example.com"), reason: "our test bed")]
        let harness = try Tunnels.intercepted(
            policy: policy,
            server: try world.server(for: "www.example.com", fault: fault)
        )
        harness.client.send(request)
        harness.pump()
        #expect(harness.server?.text == request)
        let handshake = try #require(harness.flow?.serverHandshake)
        #expect(handshake.exemption == "our test bed")
        #expect(handshake.verification?.contains(words) == true)
        #expect(harness.minted.first?.fault == nil)
    }

    @Test("never accepts its own CA on the server's side", arguments: [true, false])
    func ownAuthority(isExempted: Bool) throws {
        let world = try Tunnels.world
        var policy = world.policy()
        if isExempted {
            policy.servers.exemptions = [.init(pattern: try HostPattern("*"), reason: "everything goes")]
        }
        let engine = try TLSEngine(
            accepting: try TLSContext(acceptingVersions: .tls12 ... .tls13),
            presenting: try world.proxyMinter.mint(
                LeafRequest(names: [.name("www.example.com")]),
                now: world.now
            ),
            scope: "",
            applicationProtocol: nil
        )
        let harness = try Tunnels.intercepted(policy: policy, server: engine)
        harness.client.send(request)
        harness.pump()
        #expect(harness.client.text.contains("Pinhole's own CA"))
        #expect(harness.server?.text == "")
    }

    @Test("speaks no version below TLS 1.2 with a server", arguments: [TLSVersion.tls10, .tls11])
    func oldVersion(version: TLSVersion) throws {
        let world = try Tunnels.world
        let leaf = try world.proxyMinter.mint(LeafRequest(names: [.name("www.example.com")]), now: world.now)
        let engine = try TLSEngine(
            accepting: try TLSContext(
                accepting: ServerOptions(versions: version...version, strength: .none)
            ),
            presenting: leaf,
            scope: "",
            applicationProtocol: nil
        )
        let harness = try Tunnels.intercepted(server: engine)
        harness.client.send(request)
        harness.pump()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 502 "), "\(harness.client.text)")
        #expect(harness.server?.text == "")
        let failure = try #require(harness.flow?.serverHandshake?.failure)
        #expect(failure.cause == .noCommonVersion, "\(failure)")
    }

    @Test(
        "distinguishes a client that does not trust the CA from a client that does",
        arguments: TLSVersion.allCases
    )
    func untrusting(version: TLSVersion) throws {
        let world = try Tunnels.world
        let harness = try Tunnels.connected { _ in
            do { return .connect(TestPeer(tls: try world.server(for: "www.example.com"))) } catch {
                return .wait
            }
        }
        harness.client.secure(
            with: try world.client(
                for: "www.example.com",
                versions: version...version,
                trusting: [world.serverAuthority.root]
            )
        )
        harness.pump()
        let failure = try #require(harness.flow?.clientHandshake?.failure)
        #expect(failure.cause == .authorityNotTrusted)
        #expect(failure.alert?.code == 48 && !failure.isHint && failure.endedBy == .client)
        #expect(harness.flow?.outcome?.kind == .handshakeFailed)
        harness.checkEnd()
    }

    @Test("calls it a pin when the client accepts the CA for other hosts")
    func acceptedElsewhere() throws {
        let world = try Tunnels.world
        let environment = try world.environment()
        for (host, trusts) in [("www.example.com", true), ("pinned.example.com", false)] {
            let server = TestPeer(tls: try world.server(for: host))
            let harness = try Tunnels.connected(environment: environment, host: host) { _ in .connect(server)
            }
            harness.client.secure(
                with: try world.client(for: host, refusing: trusts ? [] : [world.proxyAuthority.root])
            )
            harness.client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            harness.pump()
            if !trusts {
                #expect(harness.flow?.clientHandshake?.failure?.cause == .looksPinned)
                #expect(harness.flow?.clientHandshake?.failure?.isHint == true)
            }
        }
    }

    @Test("calls a quick close after the handshake a pin, and a late one nothing", arguments: [true, false])
    func closesAfterHandshake(isQuick: Bool) throws {
        let harness = try Tunnels.intercepted()
        if !isQuick { harness.advance(by: .seconds(20)) }
        harness.client.close()
        harness.pump()
        harness.checkEnd()
        #expect((harness.flow?.clientHandshake?.failure?.cause == .looksPinned) == isQuick)
        #expect((harness.flow?.outcome?.kind == .handshakeFailed) == isQuick)
    }

    @Test("does not call a client pinned that had begun to speak")
    func closesInsideHead() throws {
        let harness = try Tunnels.intercepted()
        harness.client.send("GET / HT")
        harness.client.close()
        harness.pump()
        harness.checkEnd()
        #expect(harness.flow?.clientHandshake?.failure == nil)
    }

    @Test("says that the server wants a client certificate", arguments: TLSVersion.allCases, [true, false])
    func missingCertificate(version: TLSVersion, isQuick: Bool) throws {
        let world = try Tunnels.world
        let makeServer = {
            TestPeer(
                tls: try world.server(
                    for: "www.example.com",
                    versions: version...version,
                    demandingCertificatesOf: [world.serverAuthority.root]
                )
            )
        }
        let harness = try Tunnels.connected { _ in
            do { return .connect(try makeServer()) } catch { return .wait }
        }
        harness.client.secure(with: try world.client(for: "www.example.com"))
        if isQuick { harness.client.send(request) }
        harness.pump()
        if !isQuick {
            harness.client.send(request)
            harness.pump()
        }
        #expect(harness.client.text.hasPrefix("HTTP/1.1 502 "), "\(harness.client.text)")
        #expect(harness.client.text.contains("tls.clientCertificates"))
        let handshake = try #require(harness.flow?.serverHandshake)
        #expect(handshake.requestedClientCertificate)
        #expect(handshake.failure?.cause == .clientCertificateRequired)
        #expect(handshake.failure?.alert?.code == (version == .tls13 ? 116 : 40))
        #expect(harness.exchanges.count == 1)
    }

    @Test("presents the client certificate that is configured", arguments: TLSVersion.allCases)
    func clientCertificate(version: TLSVersion) throws {
        let world = try Tunnels.world
        let identity = try world.clientIdentity()
        let context = try TLSContext(
            connectingVersions: .tls12 ... .tls13,
            trust: try world.serverTrust(),
            clientIdentity: identity
        )
        let environment = try world.environment(identities: [
            .init(pattern: try HostPattern("*.example.com"), context: context)
        ])
        let server = TestPeer(
            tls: try world.server(
                for: "www.example.com",
                versions: version...version,
                demandingCertificatesOf: [world.serverAuthority.root]
            )
        )
        let harness = try Tunnels.connected(environment: environment) { _ in .connect(server) }
        harness.client.secure(with: try world.client(for: "www.example.com"))
        harness.client.send(request)
        harness.pump()
        #expect(server.text == request)
        #expect(harness.flow?.serverHandshake?.clientCertificate == identity.certificate.der)
    }

    @Test("agrees to HTTP/2 with a client that speaks nothing else, whatever the server speaks")
    func http2Alone() throws {
        let harness = try Tunnels.intercepted(protocols: ["h2"])
        #expect(harness.client.tls?.applicationProtocol == "h2")
        let found = harness.stack.takeSeed()
        let seed = try #require(found)
        #expect(seed.clientSpeaksHTTP2)
        #expect(seed.hasServer)
        #expect(seed.secured?.handshake.applicationProtocol == "http/1.1")
        #expect(seed.flow.clientHello?.applicationProtocols == ["h2"])
    }

    @Test("relays other application protocols decrypted")
    func otherProtocol() throws {
        let world = try Tunnels.world
        let harness = try Tunnels.intercepted(
            protocols: ["imap"],
            server: try world.server(for: "www.example.com", applicationProtocol: "imap")
        )
        harness.client.send("a1 NOOP\r\n")
        harness.server?.send("* OK\r\n")
        harness.pump()
        #expect(harness.client.text == "* OK\r\n")
        #expect(harness.server?.text == "a1 NOOP\r\n")
        #expect(harness.flow?.exchanges == 0)
    }

    @Test(
        "says that a server does not speak TLS",
        arguments: ["SSH-2.0-OpenSSH\r\n", "HTTP/1.1 400 Bad\r\n\r\n"]
    )
    func notTLS(text: String) throws {
        let server = TestPeer()
        let harness = try Tunnels.connected { _ in .connect(server) }
        harness.client.secure(with: try Tunnels.world.client(for: "www.example.com"))
        _ = harness.step()
        while server.received.isEmpty, harness.step() {}
        server.send(text)
        harness.client.send(request)
        harness.pump()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 502 "))
        #expect(harness.flow?.serverHandshake?.failure?.cause == .notTLS)
    }

    @Test("says that a server closed, broke or was silent in the handshake", arguments: 0..<3)
    func serverGoes(index: Int) throws {
        let server = TestPeer()
        let harness = try Tunnels.connected { _ in .connect(server) }
        harness.client.secure(with: try Tunnels.world.client(for: "www.example.com"))
        harness.client.send(request)
        harness.pump()
        #expect(harness.deadline?.kind == .handshake(.server))
        switch index {
        case 0: server.close()
        case 1: server.reset()
        default: harness.expire()
        }
        harness.pump()
        let expected: [HandshakeFailure.Cause] = [.closed, .reset, .timedOut]
        #expect(harness.flow?.serverHandshake?.failure?.cause == expected[index])
        #expect(harness.client.text.hasPrefix("HTTP/1.1 502 "))
    }

    @Test("says that a client closed, broke or was silent in the handshake", arguments: 0..<3)
    func clientGoes(index: Int) throws {
        let world = try Tunnels.world
        let server = TestPeer(tls: try world.server(for: "www.example.com"))
        let harness = try Tunnels.connected { _ in .connect(server) }
        harness.client.secure(with: try world.client(for: "www.example.com"))
        harness.client.isReading = false
        harness.pump()
        #expect(harness.deadline?.kind == .handshake(.client))
        switch index {
        case 0: harness.client.close()
        case 1: harness.client.reset()
        default: harness.expire()
        }
        harness.pump()
        let expected: [HandshakeFailure.Cause] = [.closed, .reset, .timedOut]
        #expect(harness.flow?.clientHandshake?.failure?.cause == expected[index])
        #expect(harness.flow?.clientHandshake?.failure?.isHint == (index < 2))
        harness.checkEnd()
    }

    @Test("makes a new connection when the server closed while the client's handshake went on")
    func serverClosesEarly() throws {
        let world = try Tunnels.world
        let servers = try (0..<2).map { _ in TestPeer(tls: try world.server(for: "www.example.com")) }
        let harness = try Tunnels.connected { _ in .connect(servers[0]) }
        harness.client.secure(with: try world.client(for: "www.example.com"))
        harness.client.isReading = false
        harness.pump()
        servers[0].close()
        harness.pump()
        harness.onDial = { _ in .connect(servers[1]) }
        harness.client.isReading = true
        harness.client.send(request)
        harness.pump()
        #expect(servers[1].text == request)
    }

    @Test("resumes a session with the server and keeps its verification", arguments: TLSVersion.allCases)
    func resumption(version: TLSVersion) throws {
        let world = try Tunnels.world
        let environment = try world.environment()
        let context = try TLSContext(acceptingVersions: version...version)
        let identity = try world.serverMinter.mint(
            LeafRequest(names: [.name("www.example.com")]),
            now: world.now
        )
        for round in 0..<2 {
            let server = TestPeer(
                tls: try TLSEngine(
                    accepting: context,
                    presenting: identity,
                    scope: "one",
                    applicationProtocol: "http/1.1"
                )
            )
            let harness = try Tunnels.connected(environment: environment) { _ in .connect(server) }
            harness.client.secure(with: try world.client(for: "www.example.com"))
            harness.client.send(request)
            harness.pump()
            server.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            harness.pump()
            let handshake = try #require(harness.flow?.serverHandshake)
            #expect(handshake.isResumed == (round == 1))
            #expect(handshake.presentedChain.count == 2 && handshake.validatedChain.count == 2)
            #expect(harness.exchanges.first?.outcome == .completed)
        }
    }

    @Test("takes the name from SNI, and dials the target of CONNECT")
    func serverName() throws {
        let world = try Tunnels.world
        let harness = try Tunnels.connected(host: "192.0.2.7") { _ in
            do { return .connect(TestPeer(tls: try world.server(for: "sni.test"))) } catch { return .wait }
        }
        harness.client.secure(with: try world.client(for: "sni.test"))
        harness.client.send("GET / HTTP/1.1\r\nHost: sni.test\r\n\r\n")
        harness.pump()
        #expect(harness.dialed.map(\.authority.description) == ["192.0.2.7:443"])
        #expect(harness.minted.first?.names == [.name("sni.test")])
        #expect(harness.server?.text.hasPrefix("GET / ") == true)
    }

    // MARK: Without interception

    @Test("relays bytes that are not TLS", arguments: Chunking.sizes, [true, false])
    func opaque(chunk: Int, serverFirst: Bool) throws {
        let server = TestPeer()
        let harness = try Tunnels.connected(chunk: chunk) { _ in .connect(server) }
        if serverFirst {
            server.send("220 hello\r\n")
            harness.pump()
        }
        harness.client.send("EHLO x\r\n")
        harness.pump()
        if !serverFirst { server.send("220 hello\r\n") }
        harness.pump()
        #expect(harness.client.text == "220 hello\r\n" && server.text == "EHLO x\r\n")
        harness.client.close()
        harness.pump()
        #expect(server.sawEnd != nil && server.text == "EHLO x\r\n")
        harness.checkEnd()
        #expect(harness.flow?.treatment == .opaque)
        #expect(harness.flow?.bytesFromServer == 11)
    }

    @Test("lets one half of a relay end before the other")
    func halfClose() throws {
        let server = TestPeer()
        server.closesBack = false
        let harness = try Tunnels.connected { _ in .connect(server) }
        harness.client.send("question")
        harness.client.close()
        harness.pump()
        #expect(server.text == "question" && server.sawEnd == .orderly && !harness.isClosed)
        server.send("answer")
        server.close()
        harness.pump()
        #expect(harness.client.text == "answer")
        harness.checkEnd()
    }

    @Test("passes hosts through that a rule names")
    func passedThrough() throws {
        let world = try Tunnels.world
        var policy = world.policy()
        policy.interception.passthrough = try HostRules(["*.example.com"])
        let server = TestPeer(tls: try world.server(for: "www.example.com"))
        let harness = try Tunnels.connected(policy: policy) { _ in .connect(server) }
        harness.client.secure(
            with: try world.client(for: "www.example.com", trusting: [world.serverAuthority.root])
        )
        harness.client.send("untouched")
        harness.pump()
        #expect(server.text == "untouched")
        #expect(harness.flow?.treatment == .passedThrough)
        #expect(harness.flow?.clientHello?.serverName == "www.example.com")
        #expect(harness.minted.isEmpty && harness.exchanges.isEmpty)
    }
}
