import COpenSSL
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeCrypto

/// A server of TLS 1.3 that asks for the client's certificate after the handshake (RFC 8446 §4.6.2).
@Suite("Client certificates after the handshake")
struct PostHandshakeTests {
    private static let shared = Result { try TestWorld() }
    private let world: TestWorld

    init() throws { world = try Self.shared.get() }

    /// Two engines after a handshake in which the server did not ask.
    private func pair(presenting own: Identity?) throws -> TLSPair {
        let pair = TLSPair(
            client: try TLSEngine(
                connecting: TLSContext(
                    connectingVersions: .tls12 ... .tls13,
                    trust: try world.serverTrust(),
                    clientIdentity: own
                ),
                judge: ServerJudge(host: .name("www.example.com"), exemption: nil, distrusted: []),
                serverName: "www.example.com",
                applicationProtocols: ["http/1.1"]
            ),
            server: try TLSEngine(
                accepting: TLSContext(
                    acceptingVersions: .tls12 ... .tls13,
                    clientAnchors: [world.serverAuthority.root]
                ),
                presenting: try world.serverMinter.mint(
                    LeafRequest(names: [.name("www.example.com")]),
                    now: world.now
                ),
                scope: "a",
                applicationProtocol: "http/1.1"
            )
        )
        SSL_set_verify(pair.server.ssl, SSL_VERIFY_PEER | SSL_VERIFY_POST_HANDSHAKE, nil)
        pair.shake()
        #expect(pair.isDone && pair.client.version == "TLSv1.3")
        #expect(!pair.client.requestedClientCertificate && pair.client.presentedClientCertificate == nil)
        #expect(pair.server.peerCertificate == nil)
        return pair
    }

    /// Asks for the client's certificate; returns whether the client permits it.
    private func ask(_ pair: TLSPair) -> Bool {
        OpenSSLQueue.clear()
        guard SSL_verify_client_post_handshake(pair.server.ssl) == 1 else { return false }
        #expect(pair.server.handshake(&pair.toServer, &pair.toClient) == .finished)
        return true
    }

    private func sendByServer(_ bytes: [UInt8], _ pair: TLSPair) throws {
        var plain = ByteQueue(bytes)
        try pair.server.encrypt(&plain, count: plain.count, into: &pair.toClient)
    }

    @Test("a client with a certificate presents it amid data, whenever it is asked")
    func presents() throws {
        let identity = try world.clientIdentity()
        let pair = try pair(presenting: identity)
        for _ in 0..<2 {
            try sendByServer([1, 2], pair)
            #expect(ask(pair))
            try sendByServer([3], pair)
            #expect(pair.readByClient().bytes == [1, 2, 3])
            #expect(pair.client.requestedClientCertificate)
            #expect(pair.client.presentedClientCertificate == identity.certificate)
            #expect(try pair.send([4, 5]) == [4, 5])
            #expect(pair.server.peerCertificate == identity.certificate)
        }
        try sendByServer([6], pair)
        #expect(pair.readByClient().bytes == [6])
    }

    @Test(
        "a client without a certificate does not offer post-handshake authentication, and its connection continues"
    )
    func offersNothing() throws {
        let pair = try pair(presenting: nil)
        #expect(!ask(pair))
        #expect(OpenSSLQueue.drain().last?.reason == SSL_R_EXTENSION_NOT_RECEIVED)
        try sendByServer([1], pair)
        #expect(pair.readByClient().bytes == [1])
        #expect(try pair.send([2]) == [2])
        #expect(!pair.client.requestedClientCertificate && pair.server.peerCertificate == nil)
    }

    @Test("a certificate that the server does not accept ends the connection with the server's alert")
    func refused() throws {
        let stranger = try TestWorld().clientIdentity()
        let pair = try pair(presenting: stranger)
        #expect(ask(pair))
        #expect(pair.readByClient().step == .wantsInput)
        #expect(pair.client.presentedClientCertificate == stranger.certificate)
        guard case .failed(let refusal) = pair.readByServer().step else {
            Issue.record("the server accepted it")
            return
        }
        #expect(refusal.kind == .certificateRefused)
        guard case .failed(let failure) = pair.readByClient().step else {
            Issue.record("the client read no alert")
            return
        }
        #expect(failure.kind == .alertReceived(Alert(code: 48)))
    }
}
