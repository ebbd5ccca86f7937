package import PinholeCrypto
import PinholeLock
package import PinholeModel

/// The objects that the engines of all tunnels share: TLS contexts, sessions to resume, and facts about clients and
/// servers.
package final class TunnelEnvironment: Sendable {
    /// A client certificate, and the servers that get it.
    package struct ClientIdentity: Sendable {
        /// The pattern of the servers' hosts.
        package let pattern: HostPattern
        /// The TLS context that presents the certificate.
        package let context: TLSContext

        /// Creates an entry.
        package init(pattern: HostPattern, context: TLSContext) {
            self.pattern = pattern
            self.context = context
        }
    }

    private struct Memory {
        var sessions: [ServerName: (session: TLSSession, secured: SecuredServer)] = [:]
        var acceptances: [String: Set<Host>] = [:]
        var expectations: Set<Authority> = []
    }

    /// The largest number of sessions, clients and servers that are remembered.
    ///
    /// When it is reached, the memory is emptied.
    private static let remembered = 2000

    /// The shared budget of all messages that are held.
    package let heldBodies: HeldBudget
    /// The TLS context toward clients.
    let accepting: TLSContext
    /// The TLS context toward servers that get no client certificate.
    private let connecting: TLSContext
    private let identities: [ClientIdentity]
    private let distrusted: [[UInt8]]
    private let verifier: ServerVerifier?
    private let memory = Lock(Memory())

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - accepting: The TLS context toward clients.
    ///   - connecting: The TLS context toward servers.
    ///   - identities: The client certificates; the last one that matches is presented.
    ///   - distrusted: The SHA-256 digests of the SubjectPublicKeyInfo of CAs that no server may use: our own CA.
    ///   - verifier: The verifier of servers; `nil` for OpenSSL's own.
    ///   - heldBodies: The budget of held messages, which an earlier environment of the same proxy shares.
    package init(
        accepting: TLSContext,
        connecting: TLSContext,
        identities: [ClientIdentity],
        distrusted: [[UInt8]],
        verifier: ServerVerifier? = nil,
        heldBodies: HeldBudget = HeldBudget()
    ) {
        self.heldBodies = heldBodies
        self.accepting = accepting
        self.connecting = connecting
        self.identities = identities
        self.distrusted = distrusted
        self.verifier = verifier
    }

    /// Creates the engine for a connection to a server.
    ///
    /// - Returns: The engine, and the facts of the connection whose session it offers to resume; `nil` if it offers
    ///   none.
    func engine(
        for name: ServerName,
        policy: ServerPolicy,
        client hello: ClientHelloRecord?,
        at now: Timestamp
    ) throws(CryptoFailure) -> (engine: TLSEngine, resuming: SecuredServer?) {
        let context = identities.last { $0.pattern.matches(name.authority) }?.context ?? connecting
        let exemption = policy.exemption(for: name.authority)?.reason
        var judge = ServerJudge(
            host: name.host,
            exemption: exemption ?? (policy.badCertificate == .mirror ? "the fault is mirrored" : nil),
            distrusted: distrusted
        )
        if let verifier { judge.verifier = { verifier.verify($0, for: $1) } }
        // A resumed handshake sends no certificate, so an expired certificate has to be noticed here.
        let known = memory.withLock { $0.sessions[name] }
            .flatMap { entry in entry.secured.chain.presented.contains { $0.notAfter < now } ? nil : entry }
        let shares = TLSLibrary.shares(for: hello)
        let engine = try TLSEngine(
            connecting: context,
            judge: judge,
            serverName: name.host.name,
            applicationProtocols: name.applicationProtocols,
            resuming: known?.session,
            groups: shares == TLSLibrary.offer?.keyShares
                ? nil : TLSLibrary.list(TLSLibrary.offeredGroups, sharing: shares ?? [])
        )
        return (engine, known?.secured)
    }

    /// Keeps a session for later connections to the same server.
    ///
    /// Only the session of a trusted chain is kept. No certificate is judged when a session is resumed, and a fault
    /// that is exempted or mirrored now may not be so later.
    func remember(_ session: TLSSession, of name: ServerName, _ secured: SecuredServer) {
        guard session.isResumable, secured.chain.verdict == .trusted else { return }
        memory.withLock { memory in
            if memory.sessions.count >= Self.remembered { memory.sessions.removeAll() }
            memory.sessions[name] = (session, secured)
        }
    }

    /// Forgets the session of a server whose handshake failed.
    func forget(_ name: ServerName) {
        memory.withLock { $0.sessions[name] = nil }
    }

    /// Notes that a client has accepted our certificate for `host`, because it has sent a request.
    func noteAcceptance(by client: String, of host: Host) {
        memory.withLock { memory in
            if memory.acceptances.count >= Self.remembered { memory.acceptances.removeAll() }
            if memory.acceptances[client, default: []].count < 16 {
                memory.acceptances[client, default: []].insert(host)
            }
        }
    }

    /// Whether a client has accepted our certificates for a host other than `host`.
    func isAccepted(by client: String, besides host: Host) -> Bool {
        memory.withLock { $0.acceptances[client]?.contains { $0 != host } ?? false }
    }

    /// Notes that a server may speak only HTTP/2, because it closed a connection on which only HTTP/1.1 was offered.
    func expectHTTP2(of server: Authority) {
        memory.withLock { memory in
            if memory.expectations.count >= Self.remembered { memory.expectations.removeAll() }
            memory.expectations.insert(server)
        }
    }

    /// Notes that a server chose another protocol although HTTP/2 was offered.
    func forgetHTTP2(of server: Authority) {
        memory.withLock { _ = $0.expectations.remove(server) }
    }

    /// Whether a server may speak only HTTP/2.
    func expectsHTTP2(of server: Authority) -> Bool {
        memory.withLock { $0.expectations.contains(server) }
    }
}
