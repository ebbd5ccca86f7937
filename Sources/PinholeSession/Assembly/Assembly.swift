import Glibc
package import PinholeCrypto
import PinholeFiles
import PinholeModel
package import PinholeProxy
import PinholeRules
package import PinholeRuntime
import PinholeTrust

/// Puts a proxy together from a configuration: for the command, the library, the lab and the class alike.
///
/// A configuration names everything by text and files. The members hold the values that live in memory only, or that
/// last from one setup of a proxy to the next.
package struct Assembly: Sendable {
    /// The configuration.
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
    /// - Returns: The setup.
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
            parts.mark = try configuration.mark()
            parts.sources = try configuration.sources()
            return try parts.setup()
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.couldNotRun, "\(error)")
        }
    }

    private func policy() throws -> ProxyPolicy {
        var policy = try ProxyPolicy(authority, passthrough: configuration.tls.passthrough, page: page)
        policy.access = AccessRules(
            clients: configuration.proxy.clients,
            credentials: try configuration.credentials(),
            users: try configuration.users()
        )
        policy.servers = ServerPolicy(
            badCertificate: configuration.tls.badCertificate,
            exemptions: configuration.tls.exemptions + trust.exemptions
        )
        policy.limits = configuration.limits
        policy.rules = rules ?? RuleBook(configuration.rules)
        policy.captured = captured
        policy.onboarding.commands = commands
        policy.given = GivenIdentities(try configuration.proxy.certificates.map { try $0.identity() })
        policy.nextHops = try configuration.nextHops()
        policy.isOffline = configuration.upstream.isOffline
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
            _ = try credentials()
            _ = try users()
            _ = try nextHops()
            _ = try TrustAnchors(systemAnd: tls.upstreamCAs)
            _ = try tls.serverVerifier()
            for entry in tls.clientCertificates { _ = try entry.identity() }
            for entry in proxy.certificates { _ = try entry.identity() }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.couldNotRun, "\(error)")
        }
    }

    /// Returns the firewall mark of connections to servers; throws if the system does not let this process set one.
    fileprivate func mark() throws(CommandFailure) -> UInt32? {
        guard let mark = upstream.mark else { return nil }
        do throws(SystemFailure) {
            try OutgoingConnections.check(mark: mark)
        } catch {
            throw CommandFailure(
                .couldNotRun,
                error.description,
                remedy: """
                    run as root, or with the capability CAP_NET_ADMIN; or leave out upstream.mark (--mark), and except \
                    the proxy's user in the rule
                    """
            )
        }
        return mark
    }

    /// Returns the source addresses of connections to servers; throws if one is not an address of this machine.
    fileprivate func sources() throws(CommandFailure) -> SourceAddresses {
        let sources = upstream.addresses
        do throws(SystemFailure) {
            try sources.check()
        } catch {
            let own = LocalInterfaces.addresses().filter { !$0.isLinkLocal6 }.map(\.description).joined(
                separator: ", "
            )
            throw CommandFailure(
                .couldNotRun,
                "upstream.addresses (--upstream-address): \(error)",
                remedy: "choose among the addresses of this machine: \(own)"
            )
        }
        return sources
    }

    /// Returns the proxy through which servers are reached, with its credentials.
    fileprivate func nextHops() throws(CommandFailure) -> NextHops {
        let wanted = upstream
        var hops = wanted.hops
        guard case .named(var hop) = wanted.proxy,
            let login = try wanted.credentials?.login(for: "the credentials for the next proxy")
        else { return hops }
        (hop.user, hop.password) = login
        (hops.proxy, hops.plainProxy) = (hop, hop)
        return hops
    }

    /// Returns `user:password` of the known user; `nil` if clients need no password.
    fileprivate func credentials() throws(CommandFailure) -> String? {
        try proxy.knownCredentials?.text(for: "the proxy's credentials")
    }

    /// Returns the users that may use the proxy; `nil` if no file names them.
    fileprivate func users() throws(CommandFailure) -> UserBook? {
        guard let path = proxy.users else { return nil }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            // Opening a pipe would block, also at each reload.
            throw CommandFailure(.couldNotRun, "no users of the proxy: \(path) is no regular file")
        }
        let content: [UInt8]
        do throws(InputFailure) {
            content = try InputFile.content(of: path, limit: 1 << 20)
        } catch {
            let exists = File.exists(at: path)
            throw CommandFailure(
                .couldNotRun,
                "no users of the proxy: \(error)",
                remedy: exists ? nil : "htpasswd -cB \(path) USER"
            )
        }
        do throws(UserBook.Failure) {
            return try UserBook(content)
        } catch {
            throw CommandFailure(.couldNotRun, Plain.printable("\(path): \(error)"))
        }
    }
}

extension Configuration.Credentials {
    /// Returns `user:password`, from its file if it is in one.
    ///
    /// - Parameter purpose: The purpose of the credentials, for messages.
    /// - Returns: The text.
    /// - Throws: ``CommandFailure`` if the file cannot be read, or has other content.
    package func text(for purpose: String) throws(CommandFailure) -> String {
        switch self {
        case .literal(let text): return text
        case .file(let path):
            let content = try TextFile.firstLine(path, for: purpose)
            guard content.contains(":"), !content.hasPrefix(":") else {
                throw CommandFailure(.couldNotRun, "\(path): expected USER:PASSWORD in the first line")
            }
            return content
        }
    }

    /// Returns the user name and the password.
    ///
    /// - Parameter purpose: The purpose of the credentials, for messages.
    /// - Returns: The user name and the password.
    /// - Throws: ``CommandFailure`` as ``text(for:)`` does.
    package func login(for purpose: String) throws(CommandFailure) -> (user: String, password: String) {
        let text = try text(for: purpose)
        let user = text.prefix { $0 != ":" }
        return (String(user), String(text.dropFirst(user.count + 1)))
    }
}

extension Configuration.Proxy {
    /// The credentials that are known in plain text.
    ///
    /// If only a file of users exists, the proxy creates credentials of its own, with which its console sends requests.
    package var knownCredentials: Configuration.Credentials? {
        credentials ?? (users == nil ? nil : Self.ownCredentials)
    }

    private static let ownCredentials = Configuration.Credentials.literal(
        "pinhole:" + (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    )
}
