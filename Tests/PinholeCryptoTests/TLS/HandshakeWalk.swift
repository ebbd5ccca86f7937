import PinholeCrypto
import PinholeModel
import PinholeTestKit

/// A handshake of two engines that a test can cut after any byte.
struct HandshakeWalk: CustomStringConvertible, Sendable {
    /// One of the two engines, as the receiver of bytes.
    enum Receiver: CaseIterable, Sendable {
        case client, server
    }

    /// The bytes that a peer sends at the place of the cut, before its stream ends.
    enum Ending: CaseIterable, Sendable {
        /// Nothing.
        case silence
        /// A fatal alert in the clear (RFC 8446 §6).
        case alert
        /// A warning that OpenSSL passes over in TLS 1.2 (no_renegotiation).
        case warning

        var bytes: [UInt8] {
            switch self {
            case .silence: []
            case .alert: [21, 3, 3, 0, 2, 2, 40]
            case .warning: [21, 3, 3, 0, 2, 1, 100]
            }
        }
    }

    /// The answers of an engine to every question that records ask.
    struct Answers: Equatable {
        var version: String?
        var cipher: String?
        var group: String?
        var applicationProtocol: String?
        var peer: Certificate?
        var isResumed: Bool

        init(_ engine: TLSEngine) {
            version = engine.version
            cipher = engine.cipher
            group = engine.group
            applicationProtocol = engine.applicationProtocol
            peer = engine.peerCertificate
            isResumed = engine.isResumed
            // The other questions have to be answered too, but a cut may change their answers.
            _ = engine.presentedClientCertificate
            _ = engine.channelBinding
            _ = engine.stapledResponse
            _ = engine.acceptedAuthorities
            _ = engine.acceptsEarlyData
            _ = engine.hasPending
            _ = engine.takeSession()?.isResumable
            _ = engine.takeEarlyData()
            engine.releaseBuffers()
        }

        /// Returns the questions whose answer is neither that of `whole` nor none yet.
        func wrong(beside whole: Answers) -> [String] {
            let texts = [
                (version, whole.version), (cipher, whole.cipher), (group, whole.group),
                (applicationProtocol, whole.applicationProtocol), (peer?.subject, whole.peer?.subject),
                (isResumed ? "resumed" : nil, whole.isResumed ? "resumed" : nil),
            ]
            return texts.compactMap { $0 == nil || $0 == $1 ? nil : "\($0 ?? ""), not \($1 ?? "none")" }
        }
    }

    let description: String
    private let client: TLSContext
    private let server: TLSContext
    private let identity: Identity
    private let resumes: Bool
    private let early: [UInt8]

    /// Creates a kind of handshake; `nil` if this OpenSSL lacks the group.
    init?(
        _ name: String,
        in world: TestWorld,
        _ version: TLSVersion,
        group: String? = nil,
        clientCertificate: Bool = false,
        resumes: Bool = false,
        early: [UInt8] = []
    ) throws {
        var options = ServerOptions(versions: version...version)
        options.groups = group
        options.acceptsEarlyData = !early.isEmpty
        if clientCertificate { options.clientAnchors = [world.serverAuthority.root] }
        guard let server = try? TLSContext(accepting: options) else {
            guard group != nil else { throw CryptoFailure("no context") }
            return nil
        }
        description = name
        self.server = server
        client = try TLSContext(
            connectingVersions: version...version,
            trust: try world.serverTrust(),
            clientIdentity: clientCertificate ? try world.clientIdentity() : nil
        )
        let minted = try world.serverMinter.mint(
            LeafRequest(names: [.name("www.example.com")]),
            now: world.now
        )
        identity = try Identity(chain: Array(minted.chain.prefix(1)), key: minted.key)
        self.resumes = resumes || !early.isEmpty
        self.early = early
    }

    /// Every kind of handshake that this OpenSSL can make.
    ///
    /// A client shares a key for OpenSSL's first group, so a server that wants P-256 sends a HelloRetryRequest.
    static func all(in world: TestWorld) throws -> [HandshakeWalk] {
        let retry = "P-256"
        return try [
            HandshakeWalk("TLS 1.2", in: world, .tls12),
            HandshakeWalk("TLS 1.2, resumed", in: world, .tls12, resumes: true),
            HandshakeWalk("TLS 1.2, client certificate", in: world, .tls12, clientCertificate: true),
            HandshakeWalk("TLS 1.3", in: world, .tls13),
            HandshakeWalk("TLS 1.3, client certificate", in: world, .tls13, clientCertificate: true),
            HandshakeWalk("TLS 1.3, resumed", in: world, .tls13, resumes: true),
            HandshakeWalk("TLS 1.3, early data", in: world, .tls13, early: [1, 2, 3]),
            HandshakeWalk("TLS 1.3, retry", in: world, .tls13, group: retry),
            HandshakeWalk("TLS 1.3, retry, early data", in: world, .tls13, group: retry, early: [1, 2, 3]),
            HandshakeWalk("TLS 1.3, retry, resumed", in: world, .tls13, group: retry, resumes: true),
            HandshakeWalk(
                "TLS 1.3, retry, client certificate",
                in: world,
                .tls13,
                group: retry,
                clientCertificate: true
            ),
            HandshakeWalk("TLS 1.3, ML-KEM", in: world, .tls13, group: "X25519MLKEM768"),
        ].compactMap(\.self)
    }

    /// A session for the resumed kinds; `nil` for the others.
    func session() throws -> TLSSession? {
        guard resumes else { return nil }
        let first = try pair(resuming: nil)
        first.shake()
        _ = try first.send([1])
        _ = first.readByClient()
        return first.client.takeSession()
    }

    /// Two engines before their first byte, with a session to resume or without.
    func pair(resuming session: TLSSession?) throws -> TLSPair {
        // OpenSSL sends early data once for each session, so each connection gets a new one.
        let session = early.isEmpty || session == nil ? session : try self.session()
        let pair = TLSPair(
            client: try TLSEngine(
                connecting: client,
                judge: ServerJudge(host: .name("www.example.com"), exemption: nil, distrusted: []),
                serverName: "www.example.com",
                applicationProtocols: ["h2", "http/1.1"],
                resuming: session
            ),
            server: try TLSEngine(
                accepting: server,
                presenting: identity,
                scope: "a",
                applicationProtocol: "http/1.1"
            )
        )
        if session != nil, !early.isEmpty { _ = pair.client.sendEarly(early, into: &pair.clientWire) }
        return pair
    }
}
