import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Openings with TLS of one kind that a test cuts after any byte of one side.
///
/// All cuts share the TLS contexts, whose creation costs more than a handshake.
final class OpeningWalk {
    /// The way in which a side goes away.
    enum Ending: CaseIterable {
        case end, reset, alert, notice

        /// Lets `peer` go.
        func act(on peer: TestPeer) {
            peer.wire.removeAll()
            switch self {
            case .end: peer.close(notifies: false)
            case .reset: peer.reset()
            case .alert:
                // A fatal alert in the clear (RFC 8446 §6): handshake_failure.
                peer.wire.append([21, 3, 3, 0, 2, 2, 40])
                peer.close(notifies: false)
            // After the handshake, close_notify comes first.
            case .notice: peer.close()
            }
        }

        /// The ending for a cut after `count` bytes, so that each ending has its turn.
        static func turn(_ count: Int) -> Ending { allCases[count % allCases.count] }
    }

    /// A handshake of the proxy with the side that goes away.
    enum Leg: CaseIterable {
        case client, server, proxy
    }

    /// A kind of handshake.
    struct Kind: CustomTestStringConvertible {
        /// The client certificate of the handshake with the server.
        enum Certificate {
            case unasked, presented, missing
        }

        let version: TLSVersion
        /// Whether servers, and the proxy too, want a group for which clients have sent no key.
        var retries = false
        /// Whether the client and the proxy each resume a session.
        var resumes = false
        var certificate = Certificate.unasked
        /// Whether the client sends early data, by a session that the proxy does not know.
        var sendsEarly = false

        init(_ version: TLSVersion) { self.version = version }

        func with(_ change: (inout Kind) -> Void) -> Kind {
            var kind = self
            change(&kind)
            return kind
        }

        var testDescription: String {
            let parts: [String?] = [
                "\(version)", retries ? "retry" : nil, resumes ? "resumed" : nil,
                certificate == .unasked ? nil : "certificate \(certificate)", sendsEarly ? "early data" : nil,
            ]
            return parts.compactMap(\.self).joined(separator: ", ")
        }
    }

    static let request = "CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n"
    private static let earlyData = Array("GET /early HTTP/1.1\r\nHost: www.example.com\r\n\r\n".utf8)

    let kind: Kind
    let environment: TunnelEnvironment
    private let client: TLSContext
    private let server: TLSContext
    /// The context of the server that gave the client its session.
    private let earlier: TLSContext
    private let identity: Identity
    /// The identity of ``earlier``.
    private let proxyIdentity: Identity
    private var clientSession: TLSSession?
    private var serverSession: (session: TLSSession, secured: SecuredServer)?

    init(_ kind: Kind) throws {
        let world = try Tunnels.world
        let versions = kind.version...kind.version
        var options = ServerOptions(versions: versions)
        if kind.retries { options.groups = "P-256" }
        let accepting = try TLSContext(accepting: options)
        var early = options
        early.acceptsEarlyData = true
        earlier = kind.sendsEarly ? try TLSContext(accepting: early) : accepting
        if kind.certificate != .unasked { options.clientAnchors = [world.serverAuthority.root] }
        server = try TLSContext(accepting: options)
        let trust = try world.serverTrust()
        var identities: [TunnelEnvironment.ClientIdentity] = []
        if kind.certificate == .presented {
            let context = try TLSContext(
                connectingVersions: versions,
                trust: trust,
                clientIdentity: try world.clientIdentity()
            )
            identities.append(.init(pattern: try HostPattern("*.example.com"), context: context))
        }
        environment = TunnelEnvironment(
            accepting: accepting,
            connecting: try TLSContext(connectingVersions: versions, trust: trust),
            identities: identities,
            distrusted: []
        )
        let anchors = try TrustAnchors(system: false, additional: [world.proxyAuthority.root])
        client = try TLSContext(connectingVersions: versions, trust: anchors)
        let name = Host.name("www.example.com")
        identity = try world.serverMinter.mint(LeafRequest(names: [name]), now: world.now)
        proxyIdentity = try world.proxyMinter.mint(
            LeafRequest(names: [name, try Host("127.0.0.1")]),
            now: world.now
        )
        self.kind = kind
    }

    /// A client of the server, or of the proxy itself.
    func engine(
        of leg: Leg,
        protocols: [String] = ["http/1.1"],
        resuming session: TLSSession? = nil
    ) throws -> TLSEngine {
        let host = try Host(leg == .proxy ? "127.0.0.1" : "www.example.com")
        return try TLSEngine(
            connecting: client,
            judge: ServerJudge(host: host, exemption: nil, distrusted: []),
            serverName: host.name,
            applicationProtocols: protocols,
            resuming: session
        )
    }

    func serverPeer(_ applicationProtocol: String = "http/1.1") throws -> TestPeer {
        TestPeer(tls: try serverEngine(applicationProtocol))
    }

    private func serverEngine(_ applicationProtocol: String = "http/1.1") throws -> TLSEngine {
        try TLSEngine(
            accepting: server,
            presenting: identity,
            scope: "a",
            applicationProtocol: applicationProtocol
        )
    }

    // MARK: Sessions

    /// Returns a session for the client to offer; `nil` if it offers none.
    private func session(of leg: Leg) throws -> TLSSession? {
        guard kind.resumes || kind.sendsEarly else { return nil }
        // OpenSSL sends early data once for each session, and an alert ends a session.
        if let clientSession, clientSession.isResumable, !kind.sendsEarly { return clientSession }
        let policy = try Tunnels.world.policy()
        let scope = leg == .proxy ? "\(policy.ownHost)" : "\(Plays.authority) \(Plays.authority.host)"
        let first = try TLSEngine(
            accepting: earlier,
            presenting: proxyIdentity,
            scope: scope,
            applicationProtocol: "http/1.1"
        )
        let session = try Self.session(of: try engine(of: leg), with: first)
        clientSession = session
        return session
    }

    /// Lets the proxy remember a session with the server, as after an earlier connection, or none.
    private func rememberServer() throws {
        // The cut before may have ended after a ticket.
        environment.forget(Plays.name)
        guard kind.resumes else { return }
        if serverSession?.session.isResumable != true {
            let world = try Tunnels.world
            let policy = world.policy().servers
            let (begun, handshake) = ServerHandshake.begin(
                Plays.name,
                environment,
                policy,
                client: nil,
                at: world.now
            )
            let engine = try begun.get()
            let session = try Self.session(of: engine, with: try serverEngine())
            serverSession = (session, handshake.finished(engine, at: world.now))
        }
        guard let serverSession else { return }
        environment.remember(serverSession.session, of: Plays.name, serverSession.secured)
    }

    /// Completes a handshake, and returns the session that the client may resume.
    private static func session(of client: TLSEngine, with server: TLSEngine) throws -> TLSSession {
        var (up, down, plain) = (ByteQueue(), ByteQueue(), ByteQueue())
        for _ in 0..<5 {
            _ = client.handshake(&down, &up)
            _ = server.handshake(&up, &down)
        }
        _ = client.decrypt(&down, into: &plain, limit: 1, output: &up)
        return try #require(client.takeSession())
    }

    // MARK: Cuts

    /// Cuts the handshake of `leg` at every fifth byte, because each cut costs two handshakes.
    ///
    /// No record is that short, so every record is cut, and a prime step meets every kind of field.
    ///
    /// - Returns: The number of bytes after which the handshake was whole.
    func walk(_ leg: Leg) throws -> Int {
        var count = 1
        while try cut(leg, after: count, .turn(count / 5)) { count += 5 }
        return count
    }

    /// Lets an opening go on until `count` bytes of a side have arrived, then ends that side.
    ///
    /// - Returns: Whether the opening was longer than that.
    private func cut(_ leg: Leg, after count: Int, _ ending: Ending) throws -> Bool {
        try rememberServer()
        let client = try engine(of: leg, resuming: try session(of: leg))
        let server = try serverPeer()
        let harness = try StackHarness(
            Tunnels.world,
            environment: environment,
            client: leg == .proxy ? TestPeer(tls: client) : TestPeer()
        )
        harness.onDial = { _ in .connect(server) }
        if leg == .proxy {
            harness.room = (count, .max)
        } else {
            harness.client.send(Self.request)
            harness.pump()
            harness.room = leg == .client ? (count, .max) : (.max, count)
        }
        if kind.sendsEarly { #expect(client.sendEarly(Self.earlyData, into: &harness.client.wire)) }
        if leg != .proxy { harness.client.secure(with: client) }
        #expect(harness.pump())
        let isLonger = (leg == .server ? harness.room.server : harness.room.client) == 0
        if !isLonger { checkWhole(leg, harness, server) }
        harness.room = (.max, .max)
        ending.act(on: leg == .server ? server : harness.client)
        #expect(harness.pump())
        if leg == .server { harness.client.close(notifies: false) }
        harness.pump()
        for _ in 0..<4 where !harness.isClosed { harness.expire() }
        harness.checkEnd()
        return isLonger
    }

    /// Expects that a handshake that was not cut is of this kind.
    private func checkWhole(_ leg: Leg, _ harness: StackHarness, _ server: TestPeer) {
        guard kind.certificate != .missing else {
            #expect(server.failure != nil)
            return
        }
        let peer = leg == .server ? server : harness.client
        #expect(peer.isSecure && peer.failure == nil)
        #expect(peer.tls?.isResumed == kind.resumes)
        #expect(peer.tls?.acceptsEarlyData == false && harness.allExchanges.isEmpty)
        if leg == .server {
            #expect((server.tls?.peerCertificate != nil) == (kind.certificate == .presented))
        }
    }
}
