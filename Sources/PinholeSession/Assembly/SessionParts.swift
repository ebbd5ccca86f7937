package import PinholeCrypto
package import PinholeModel
package import PinholeProxy
package import PinholeRuntime

/// The parts that a proxy is put together from.
///
/// The command takes them from its configuration, the library from its options, the lab from a scenario. The defaults
/// speak TLS 1.2 and 1.3 on both sides and present no client certificate.
package struct SessionParts: Sendable {
    /// A client certificate, and the servers that get it.
    package struct ClientIdentity: Sendable {
        /// The servers.
        package let hosts: [HostPattern]
        /// The certificate and its key.
        package let identity: Identity

        /// Creates an entry.
        package init(hosts: [HostPattern], identity: Identity) {
            self.hosts = hosts
            self.identity = identity
        }
    }

    /// The proxy's authority; no server may use a chain that leads to it.
    package let authority: CertificateAuthority
    /// The settings that decisions depend on.
    package var policy: ProxyPolicy
    /// Provides the identities that clients of intercepted hosts are shown; at first leaves of the authority.
    package var provider: any IdentityProvider
    /// The CAs that servers may use.
    package var anchors: TrustAnchors
    /// The verifier of servers; `nil` for OpenSSL's own, which uses ``anchors``.
    package var verifier: ServerVerifier?
    /// TLS toward clients.
    package var accepting = ServerOptions()
    /// The oldest and the newest version of TLS toward servers.
    package var connecting = TLSVersion.tls12 ... .tls13
    /// Client certificates; the last one that names a server is presented to it.
    package var clientIdentities: [ClientIdentity] = []
    /// Receives NSS key log lines (`SSLKEYLOGFILE`); `nil` to log no keys.
    package var keyLog: (@Sendable (String) -> Void)?
    /// The budget of all messages that are held, which lasts from one setup of a proxy to the next.
    package var heldBodies = HeldBudget()
    /// The mark of connections to servers for the firewall (SO_MARK); `nil` for none.
    package var mark: UInt32?
    /// The addresses of this machine that connections to servers come from.
    package var sources = SourceAddresses()

    /// Creates parts.
    ///
    /// - Parameters:
    ///   - authority: The proxy's authority.
    ///   - policy: The settings that decisions depend on.
    ///   - anchors: The CAs that servers may use.
    package init(_ authority: CertificateAuthority, policy: ProxyPolicy, anchors: TrustAnchors) {
        self.authority = authority
        self.policy = policy
        self.anchors = anchors
        provider = LeafMinter(authority: authority)
    }

    /// Puts a proxy's setup together.
    ///
    /// - Returns: The setup, for a new proxy or for one that adopts it.
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses a version, a certificate or a key.
    package func setup() throws(CryptoFailure) -> ProxySetup {
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
