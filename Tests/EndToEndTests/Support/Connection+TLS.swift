import PinholeCrypto
import PinholeModel

/// What a client trusts and asks for in TLS.
struct ClientTLS: Sendable {
    /// The CAs that are trusted.
    var anchors: [Certificate]
    /// The name in SNI and in the certificate.
    var host: Host = VirtualHostName.shop
    var versions: ClosedRange<TLSVersion> = .tls12 ... .tls13
    var protocols = ["http/1.1"]
    /// A session to resume.
    var session: TLSSession?
    /// Takes any certificate, to look at it.
    var acceptsAnything = false
}

extension Connection {
    /// Shakes hands as the client.
    ///
    /// - Parameters:
    ///   - client: What is trusted and asked for.
    ///   - pause: Is called when the server has answered, before the client's second flight.
    /// - Throws: ``ConnectionFailure`` when the handshake fails.
    func secure(_ client: ClientTLS, pause: () throws -> Void = {}) throws {
        let trust = try TrustAnchors(system: false, additional: client.anchors)
        let judge = ServerJudge(
            host: client.host,
            exemption: client.acceptsAnything ? "a test looks at it" : nil,
            distrusted: []
        )
        let context = try TLSContext(connectingVersions: client.versions, trust: trust)
        try handshake(
            TLSEngine(
                connecting: context,
                judge: judge,
                serverName: client.host.name,
                applicationProtocols: client.protocols,
                resuming: client.session
            ),
            pause: pause
        )
    }

    /// Shakes hands as the server; sessions are resumed within `scope` alone.
    func accept(_ identity: Identity, _ context: TLSContext, scope: String) throws {
        try handshake(
            TLSEngine(accepting: context, presenting: identity, scope: scope, applicationProtocol: "http/1.1")
        )
    }

    private func handshake(_ engine: TLSEngine, pause: () throws -> Void = {}) throws {
        var isFirst = true
        while true {
            var output = ByteQueue()
            let step = engine.handshake(&inbox, &output)
            if !isFirst, !output.isEmpty { try pause() }
            isFirst = false
            if !output.isEmpty { try sendRaw(output.prefix()) }
            switch step {
            case .finished:
                self.engine = engine
                return
            case .failed(let failure):
                throw ConnectionFailure.tls(failure.detail)
            case .wantsInput:
                guard try receiveRaw(into: &inbox) != nil else { throw ConnectionFailure.ended }
            }
        }
    }
}

/// The names that tests use again and again.
enum VirtualHostName {
    static let shop = Host.name("shop.example.test")
}
