import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeRuntime

/// The parts of a proxy as values, which ``Assembly`` makes of a configuration.
///
/// The defaults speak TLS 1.2 and 1.3 on both sides and present no client certificate.
struct SessionParts: Sendable {
    /// A client certificate, and the servers that get it.
    struct ClientIdentity: Sendable {
        /// The servers.
        let hosts: [HostPattern]
        /// The certificate and its key.
        let identity: Identity
    }

    /// The proxy's authority; no server may use a chain that leads to it.
    let authority: CertificateAuthority
    /// The settings that decisions depend on.
    var policy: ProxyPolicy
    /// Provides the identities that clients of intercepted hosts are shown; at first leaves of the authority.
    var provider: any IdentityProvider
    /// The CAs that servers may use.
    var anchors: TrustAnchors
    /// The verifier of servers; `nil` for OpenSSL's own, which uses ``anchors``.
    var verifier: ServerVerifier?
    /// TLS toward clients.
    var accepting = ServerOptions()
    /// The oldest and the newest version of TLS toward servers.
    var connecting = TLSVersion.tls12 ... .tls13
    /// Client certificates; the last one that names a server is presented to it.
    var clientIdentities: [ClientIdentity] = []
    /// Receives NSS key log lines (`SSLKEYLOGFILE`); `nil` to log no keys.
    var keyLog: (@Sendable (String) -> Void)?
    /// The budget of all messages that are held, which lasts from one setup of a proxy to the next.
    var heldBodies = HeldBudget()
    /// The mark of connections to servers for the firewall (SO_MARK); `nil` for none.
    var mark: UInt32?
    /// The addresses of this machine that connections to servers come from.
    var sources = SourceAddresses()

    /// Creates parts.
    ///
    /// - Parameters:
    ///   - authority: The proxy's authority.
    ///   - policy: The settings that decisions depend on.
    ///   - anchors: The CAs that servers may use.
    init(_ authority: CertificateAuthority, policy: ProxyPolicy, anchors: TrustAnchors) {
        self.authority = authority
        self.policy = policy
        self.anchors = anchors
        provider = LeafMinter(authority: authority)
    }

    /// Puts a proxy's setup together.
    ///
    /// - Returns: The setup, for a new proxy or for one that adopts it.
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses a version, a certificate or a key.
    func setup() throws(CryptoFailure) -> ProxySetup {
        var identities: [TunnelEnvironment.ClientIdentity] = []
        for entry in clientIdentities {
            let context = try context(presenting: entry.identity)
            identities += entry.hosts.map { TunnelEnvironment.ClientIdentity(pattern: $0, context: context) }
        }
        let environment = TunnelEnvironment(
            accepting: try TLSContext(accepting: accepting, keyLog: keyLog),
            connecting: try context(presenting: nil),
            identities: identities,
            distrusted: authority.identity.chain.map(\.spkiSHA256),
            verifier: verifier,
            heldBodies: heldBodies
        )
        var setup = ProxySetup(policy: policy, environment: environment, minter: provider)
        setup.mark = mark
        setup.sources = sources
        return setup
    }

    private func context(presenting identity: Identity?) throws(CryptoFailure) -> TLSContext {
        try TLSContext(
            connectingVersions: connecting,
            trust: anchors,
            clientIdentity: identity,
            keyLog: keyLog
        )
    }
}
