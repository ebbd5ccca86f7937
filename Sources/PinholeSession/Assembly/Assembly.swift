package import PinholeCrypto
package import PinholeProxy
import PinholeRules
package import PinholeRuntime

/// Puts a proxy together from a configuration: for the command, the library, the lab and the class alike.
///
/// A configuration names everything by text and files. The members hold the values that live in memory only, or that
/// last from one setup of a proxy to the next.
package struct Assembly: Sendable {
    /// The settings that the proxy is made of.
    package var configuration: Configuration
    private let authority: CertificateAuthority
    /// Provides the identities that clients of intercepted hosts are shown; `nil` for leaves of the authority.
    package var provider: (any IdentityProvider)?
    /// The CAs that servers may use; `nil` for those that the configuration names.
    package var anchors: TrustAnchors?
    /// TLS toward clients; `nil` for the settings of the configuration.
    package var accepting: ServerOptions?
    /// The page of the proxy; `nil` for the page with the authority's certificate.
    package var page: Onboarding?
    /// The receivers of TLS secrets; `nil` for none.
    var keyLog: KeyLog?
    /// The rules that tunnels look up; `nil` for those of the configuration.
    var rules: RuleBook?
    /// The scope of the capture.
    var captured = CaptureScope()
    /// The budget for the size of all held messages together, which is kept from one setup to the next.
    var heldBodies = HeldBudget()
    /// The TLS settings of single servers from the console, which win over the configuration.
    var trust = SessionTrust()
    /// The commands for clients on the proxy's page; `nil` if its listeners serve one program only.
    var commands: ClientCommands?

    /// Begins with a configuration and an authority.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - authority: The proxy's authority; no server may use a chain that leads to it.
    package init(_ configuration: Configuration, _ authority: CertificateAuthority) {
        self.configuration = configuration
        self.authority = authority
    }

    /// Puts a setup together, for a new proxy or for one that adopts it.
    ///
    /// - Throws: ``CommandFailure`` when a file or a value of the configuration cannot be used.
    package func setup() throws(CommandFailure) -> ProxySetup {
        do {
            let (client, server) = (configuration.tls.client, configuration.tls.server)
            var parts = SessionParts(
                authority,
                policy: try policy(),
                anchors: try anchors ?? TrustAnchors(systemAnd: configuration.tls.upstreamCAs)
            )
            parts.verifier = try configuration.tls.serverVerifier()
            if let provider { parts.provider = provider }
            parts.accepting.versions = client.minimum...client.maximum
            if let accepting { parts.accepting = accepting }
            parts.connecting = server.minimum...server.maximum
            parts.clientIdentities = try clientIdentities()
            parts.keyLog = keyLog.map { keyLog in { @Sendable (line: String) in keyLog.append(line) } }
            parts.heldBodies = heldBodies
            parts.mark = try configuration.upstream.checkedMark()
            parts.sources = try configuration.upstream.sources()
            return try parts.setup()
        } catch {
            throw CommandFailure(of: error)
        }
    }

    private func policy() throws -> ProxyPolicy {
        var policy = try ProxyPolicy(authority, passthrough: configuration.tls.passthrough, page: page)
        try configuration.proxy.apply(to: &policy)
        try configuration.upstream.apply(to: &policy)
        policy.servers = ServerPolicy(
            badCertificate: configuration.tls.badCertificate,
            exemptions: configuration.tls.exemptions + trust.exemptions
        )
        policy.limits = configuration.limits
        policy.rules = rules ?? RuleBook(configuration.rules)
        policy.captured = captured
        policy.onboarding.commands = commands
        return policy
    }

    /// Returns the client certificates of the configuration, and those of the console, which win.
    private func clientIdentities() throws(CommandFailure) -> [SessionParts.ClientIdentity] {
        var identities: [SessionParts.ClientIdentity] = []
        for entry in configuration.tls.clientCertificates {
            identities.append(.init(hosts: entry.hosts, identity: try entry.identity()))
        }
        return identities + trust.presented.map { .init(hosts: [$0.host], identity: $0.identity) }
    }
}

extension Configuration {
    /// Reads the files that the configuration names, as the start of the proxy does.
    ///
    /// - Throws: ``CommandFailure`` when one of them cannot be used.
    package func checkFiles() throws(CommandFailure) {
        do {
            _ = try proxy.access()
            _ = try proxy.identities()
            _ = try upstream.nextHops()
            _ = try TrustAnchors(systemAnd: tls.upstreamCAs)
            _ = try tls.serverVerifier()
            for entry in tls.clientCertificates { _ = try entry.identity() }
        } catch {
            throw CommandFailure(of: error)
        }
    }
}
