package import PinholeCrypto
import PinholeLock
package import PinholeModel

/// What the engines of all tunnels share: TLS contexts, sessions to resume, who was accepted.
package final class TunnelEnvironment: Sendable {
    /// A client certificate and the hosts that get it.
    package struct ClientIdentity: Sendable {
        /// The hosts.
        package let pattern: HostPattern
        /// The context that presents it.
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

    /// Sessions and clients that are remembered at most; then the memory starts anew.
    private static let remembered = 2000

    /// What all messages that are held may come to together.
    package let heldBodies: HeldBudget
    /// The context toward clients.
    let accepting: TLSContext
    /// The context toward servers without a client certificate.
    private let connecting: TLSContext
    private let identities: [ClientIdentity]
    private let distrusted: [[UInt8]]
    private let memory = Lock(Memory())

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - accepting: The context toward clients.
    ///   - connecting: The context toward servers.
    ///   - identities: Client certificates; the last that matches is presented.
    ///   - distrusted: SHA-256 of the SubjectPublicKeyInfo of CAs that no server may use: our own.
    ///   - heldBodies: What an earlier environment of the same proxy holds, too.
    package init(
        accepting: TLSContext,
        connecting: TLSContext,
        identities: [ClientIdentity],
        distrusted: [[UInt8]],
        heldBodies: HeldBudget = HeldBudget()
    ) {
        self.heldBodies = heldBodies
        self.accepting = accepting
        self.connecting = connecting
        self.identities = identities
        self.distrusted = distrusted
    }

    /// Creates the engine for a connection to a server.
    ///
    /// - Returns: The engine, and what is known of the server whose session it offers to resume.
    func engine(
        for name: ServerName,
        policy: ServerPolicy,
        at now: Timestamp
    ) throws(CryptoFailure) -> (engine: TLSEngine, resuming: SecuredServer?) {
        let context = identities.last { $0.pattern.matches(name.authority) }?.context ?? connecting
        let exemption = policy.exemption(for: name.authority)?.reason
        let judge = ServerJudge(
            host: name.host,
            exemption: exemption ?? (policy.badCertificate == .mirror ? "the fault is mirrored" : nil),
            distrusted: distrusted
        )
        // A resumed handshake sends no certificate, so what has expired since has to be noticed here.
        let known = memory.withLock { $0.sessions[name] }
            .flatMap { entry in entry.secured.chain.presented.contains { $0.notAfter < now } ? nil : entry }
        let engine = try TLSEngine(
            connecting: context,
            judge: judge,
            serverName: name.host.name,
            applicationProtocols: name.applicationProtocols,
            resuming: known?.session
        )
        return (engine, known?.secured)
    }

    /// Keeps a session for later connections to the same server.
    ///
    /// Only that of a trusted chain: no certificate is judged when it is resumed, and what was exempted
    /// or mirrored may not be any more.
    func remember(_ session: TLSSession, of name: ServerName, _ secured: SecuredServer) {
        guard session.isResumable, secured.chain.verdict == .trusted else { return }
        memory.withLock { memory in
            if memory.sessions.count >= Self.remembered { memory.sessions.removeAll() }
            memory.sessions[name] = (session, secured)
        }
    }

    /// Forgets the session of a server that did not go on with it.
    func forget(_ name: ServerName) {
        memory.withLock { $0.sessions[name] = nil }
    }

    /// Notes that a client accepted our certificate for `host`: it sent a request.
    func noteAcceptance(by client: String, of host: Host) {
        memory.withLock { memory in
            if memory.acceptances.count >= Self.remembered { memory.acceptances.removeAll() }
            if memory.acceptances[client, default: []].count < 16 {
                memory.acceptances[client, default: []].insert(host)
            }
        }
    }

    /// Whether a client accepts our certificates for a host other than `host`.
    func isAccepted(by client: String, besides host: Host) -> Bool {
        memory.withLock { $0.acceptances[client]?.contains { $0 != host } ?? false }
    }

    /// Notes that a server may speak HTTP/2 alone: it went away where it was offered HTTP/1.1.
    func expectHTTP2(of server: Authority) {
        memory.withLock { memory in
            if memory.expectations.count >= Self.remembered { memory.expectations.removeAll() }
            memory.expectations.insert(server)
        }
    }

    /// Notes that a server agreed to something else where it was offered HTTP/2.
    func forgetHTTP2(of server: Authority) {
        memory.withLock { _ = $0.expectations.remove(server) }
    }

    /// Whether a server may speak HTTP/2 alone.
    func expectsHTTP2(of server: Authority) -> Bool {
        memory.withLock { $0.expectations.contains(server) }
    }
}
