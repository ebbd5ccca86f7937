import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeRuntime
import PinholeTrust

/// Turns a configuration into what tunnels begin with.
struct SetupBuilder {
    let configuration: Configuration
    let keyLog: KeyLog?
    /// The rules that tunnels look up.
    let rules: RuleBook
    /// What is recorded.
    var captured = CaptureScope()
    /// What all messages that are held may come to together, from one setup to the next.
    var heldBodies = HeldBudget()
    /// The TLS settings of single servers from the console, which win over the configuration.
    var trust = SessionTrust()
    /// The commands for clients on the proxy's page; `nil` if its listeners serve one program only.
    var commands: ClientCommands?

    /// Makes a setup.
    ///
    /// - Parameter minter: What makes the leaves; a reload keeps it, and the leaves that it remembers.
    /// - Returns: The setup.
    /// - Throws: ``CommandFailure`` when a file that the configuration names cannot be used.
    func setup(minter: LeafMinter) throws(CommandFailure) -> ProxySetup {
        do {
            var setup = ProxySetup(
                policy: try policy(minter.authority),
                environment: try environment(minter.authority),
                minter: minter
            )
            setup.mark = try mark()
            setup.sources = try sources()
            return setup
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.couldNotRun, "\(error)")
        }
    }

    /// Reads the files that the configuration names, as the start of the proxy does.
    ///
    /// - Throws: ``CommandFailure`` when one of them cannot be used.
    func checkFiles() throws(CommandFailure) {
        do {
            _ = try credentials()
            _ = try users()
            _ = try nextHops()
            _ = try TrustAnchors(systemAnd: configuration.tls.upstreamCAs)
            for entry in configuration.tls.clientCertificates { _ = try entry.identity() }
            for entry in configuration.proxy.certificates { _ = try entry.identity() }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.couldNotRun, "\(error)")
        }
    }

    private func policy(_ authority: CertificateAuthority) throws -> ProxyPolicy {
        var policy = ProxyPolicy(
            interception: try interception(authority),
            access: AccessRules(
                clients: configuration.proxy.clients,
                credentials: try credentials(),
                users: try users()
            ),
            servers: ServerPolicy(
                badCertificate: configuration.tls.badCertificate,
                exemptions: configuration.tls.exemptions + trust.exemptions
            ),
            limits: configuration.limits,
            onboarding: try Onboarding(authority),
            machineNames: MachineNames.all(),
            rules: rules
        )
        policy.captured = captured
        policy.onboarding.commands = commands
        policy.given = GivenIdentities(try configuration.proxy.certificates.map { try $0.identity() })
        policy.nextHops = try nextHops()
        policy.isOffline = configuration.upstream.isOffline
        return policy
    }

    /// What marks connections to servers; it fails where the system does not let this process do so.
    private func mark() throws(CommandFailure) -> UInt32? {
        guard let mark = configuration.upstream.mark else { return nil }
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

    /// Where connections to servers come from; it fails where one is no address of this machine.
    private func sources() throws(CommandFailure) -> SourceAddresses {
        let sources = configuration.upstream.addresses
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

    /// The proxy through which servers are reached, with its credentials.
    func nextHops() throws(CommandFailure) -> NextHops {
        let wanted = configuration.upstream
        var hops = wanted.hops
        guard case .named(var hop) = wanted.proxy,
            let login = try wanted.credentials?.login(for: "the credentials for the next proxy")
        else { return hops }
        (hop.user, hop.password) = login
        (hops.proxy, hops.plainProxy) = (hop, hop)
        return hops
    }

    /// Which hosts are intercepted.
    func interception(_ authority: CertificateAuthority?) throws(AddressFailure) -> InterceptionRules {
        InterceptionRules(passthrough: try HostRules(configuration.tls.passthrough)) { host in
            authority?.permits(host) ?? true
        }
    }

    /// `user:password` of one user; `nil` where nobody is asked, or only those in a file.
    private func credentials() throws(CommandFailure) -> String? {
        try configuration.proxy.knownCredentials?.text(for: "the proxy's credentials")
    }

    /// Those who may use the proxy; `nil` where no file names them.
    private func users() throws(CommandFailure) -> UserBook? {
        guard let path = configuration.proxy.users else { return nil }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            // A pipe would be waited for, also at each reload.
            throw CommandFailure(.couldNotRun, "no users of the proxy: \(path) is no regular file")
        }
        let content: [UInt8]
        do throws(PolicyFailure) {
            content = try PolicyFile.content(of: path, limit: 1 << 20)
        } catch {
            let exists = FileManager.default.fileExists(atPath: path)
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

    private func environment(_ authority: CertificateAuthority) throws -> TunnelEnvironment {
        let anchors = try TrustAnchors(systemAnd: configuration.tls.upstreamCAs)
        let server = configuration.tls.server
        let log = keyLog.map { keyLog in { @Sendable (line: String) in keyLog.append(line) } }
        let connecting = { (identity: Identity?) throws(CryptoFailure) in
            try TLSContext(
                connectingVersions: server.minimum...server.maximum,
                trust: anchors,
                clientIdentity: identity,
                keyLog: log
            )
        }
        var identities: [TunnelEnvironment.ClientIdentity] = []
        for entry in configuration.tls.clientCertificates {
            let context = try connecting(try entry.identity())
            identities += entry.hosts.map { TunnelEnvironment.ClientIdentity(pattern: $0, context: context) }
        }
        for entry in trust.presented {
            let context = try connecting(entry.identity)
            identities.append(TunnelEnvironment.ClientIdentity(pattern: entry.host, context: context))
        }
        let client = configuration.tls.client
        return TunnelEnvironment(
            accepting: try TLSContext(acceptingVersions: client.minimum...client.maximum, keyLog: log),
            connecting: try connecting(nil),
            identities: identities,
            distrusted: authority.identity.chain.map(\.spkiSHA256),
            heldBodies: heldBodies
        )
    }
}

extension Configuration.Credentials {
    /// `user:password`, out of its file where it lies in one.
    ///
    /// - Parameter purpose: What it is for, for people.
    /// - Returns: The text.
    /// - Throws: ``CommandFailure`` when the file cannot be read, or holds something else.
    func text(for purpose: String) throws(CommandFailure) -> String {
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

    /// The user name and the password.
    ///
    /// - Parameter purpose: What they are for, for people.
    /// - Returns: Both.
    /// - Throws: ``CommandFailure`` as ``text(for:)`` does.
    func login(for purpose: String) throws(CommandFailure) -> (user: String, password: String) {
        let text = try text(for: purpose)
        let user = text.prefix { $0 != ":" }
        return (String(user), String(text.dropFirst(user.count + 1)))
    }
}

extension Configuration.Proxy {
    /// The credentials that are written down.
    ///
    /// Where others alone have passwords the proxy makes some for itself, by which its console sends requests.
    var knownCredentials: Configuration.Credentials? {
        credentials ?? (users == nil ? nil : Self.ownCredentials)
    }

    private static let ownCredentials = Configuration.Credentials.literal(
        "pinhole:" + (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    )
}
