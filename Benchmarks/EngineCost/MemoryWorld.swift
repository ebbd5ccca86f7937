import Glibc
import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeRules

/// The certificates and settings that all tunnels of a run share, in memory only.
struct MemoryWorld {
    let now: Timestamp
    private let rules: RuleSet
    let environment: TunnelEnvironment
    let minter: LeafMinter
    private let servers: LeafMinter
    private let fromClients: TLSContext
    private let accepting: TLSContext

    /// Creates a world whose proxy has these rules.
    init(rules: RuleSet = RuleSet()) throws {
        self.rules = rules
        // OpenSSL verifies certificates by the clock of the machine.
        now = Timestamp(seconds: Int64(time(nil)))
        let past = now - .seconds(90 * 86_400)
        let proxyAuthority = try CertificateAuthority.create(.init(machineName: "proxy"), now: past)
        let serverAuthority = try CertificateAuthority.create(.init(machineName: "servers"), now: past)
        minter = LeafMinter(authority: proxyAuthority)
        servers = LeafMinter(authority: serverAuthority)
        accepting = try TLSContext(acceptingVersions: .tls12 ... .tls13)
        let anchors = [proxyAuthority.root, serverAuthority.root]
        let trust = try TrustAnchors(system: false, additional: anchors)
        fromClients = try TLSContext(connectingVersions: .tls12 ... .tls13, trust: trust)
        environment = TunnelEnvironment(
            accepting: try TLSContext(acceptingVersions: .tls12 ... .tls13),
            connecting: try TLSContext(connectingVersions: .tls12 ... .tls13, trust: trust),
            identities: [],
            distrusted: []
        )
    }

    /// Returns a policy without passthrough rules.
    private func policy() throws -> ProxyPolicy {
        ProxyPolicy(
            interception: InterceptionRules(passthrough: try HostRules()),
            onboarding: Onboarding(downloads: [], subject: "", fingerprint: "", expiry: ""),
            rules: RuleBook(rules)
        )
    }

    /// Returns a tunnel whose client has just connected.
    func tunnel() throws -> TunnelStack {
        guard let loopback = IPAddress("127.0.0.1") else { preconditionFailure("127.0.0.1 is an address") }
        return TunnelStack(
            policy: Shared(try policy()),
            environment: environment,
            sink: NumberingSink(),
            keepsBodies: true,
            flow: FlowRecord(
                id: FlowID(rawValue: 0),
                opened: now,
                client: "127.0.0.1:50000",
                listener: "127.0.0.1:8080"
            ),
            clientAddress: loopback
        )
    }

    /// Returns the conversation that takes over an opened tunnel.
    func conversation(
        _ opening: OpeningResult,
        client: consuming HTTPPeer,
        server: LinkStack?
    ) -> ConversationStack {
        ConversationStack(
            opening,
            client: client,
            server: server,
            environment: environment,
            sink: NumberingSink(),
            keepsBodies: true
        )
    }

    /// Returns the TLS engine of a client.
    func client() throws -> TLSEngine {
        let host = try Host(Messages.host)
        return try TLSEngine(
            connecting: fromClients,
            judge: ServerJudge(host: host, exemption: nil, distrusted: []),
            serverName: host.name,
            applicationProtocols: ["http/1.1"]
        )
    }

    /// Returns the TLS engine of a server.
    func server() throws -> TLSEngine {
        let request = LeafRequest(names: [try Host(Messages.host)], fault: nil)
        return try TLSEngine(
            accepting: accepting,
            presenting: try servers.mint(request, now: now),
            scope: Messages.host,
            applicationProtocol: "http/1.1"
        )
    }
}
