import PinholeCrypto
import PinholeLock
import PinholeModel

/// A TLS 1.3 connection between two ends in memory, whose records and secrets can be written to a file of packets.
final class TLSConversation {
    /// The parts that the connections of one file share.
    final class Ends: Sendable {
        fileprivate let client: TLSContext
        fileprivate let server: TLSContext
        fileprivate let identity: Identity
        fileprivate let secrets: Lock<[String]>

        /// Creates a certificate that says where the connections come from, and the ends.
        ///
        /// - Throws: ``CryptoFailure`` when OpenSSL fails.
        init(at now: Timestamp) throws(CryptoFailure) {
            let year = Duration.seconds(365 * 86_400)
            let template = CertificateTemplate(
                commonName: "Made by Pinhole from decrypted traffic",
                notBefore: now - year,
                notAfter: now + year
            )
            let key = try PrivateKey.generateP256()
            identity = try Identity(chain: [template.signed(by: nil, key: key)], key: key)
            let secrets = Lock<[String]>([])
            self.secrets = secrets
            client = try TLSContext(
                connectingVersions: .tls13 ... .tls13,
                trust: TrustAnchors(system: false, additional: []),
                keyLog: { line in secrets.withLock { $0.append(line) } }
            )
            server = try TLSContext(acceptingVersions: .tls13 ... .tls13)
        }
    }

    /// The messages of the handshake, in order.
    let flights: [(sender: Side, bytes: [UInt8])]
    /// The secrets of the connection, as lines of an NSS key log.
    let secrets: [String]
    private let client: TLSEngine
    private let server: TLSEngine

    /// Makes the handshake.
    ///
    /// - Parameters:
    ///   - ends: The parts that all connections share.
    ///   - host: The server; its name is sent in SNI.
    ///   - applicationProtocol: The protocol that the client offers and the server selects in ALPN.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    init(_ ends: Ends, to host: Host, applicationProtocol: String) throws(CryptoFailure) {
        client = try TLSEngine(
            connecting: ends.client,
            judge: ServerJudge(host: host, exemption: "the server is in memory", distrusted: []),
            serverName: host.name,
            applicationProtocols: [applicationProtocol]
        )
        server = try TLSEngine(
            accepting: ends.server,
            presenting: ends.identity,
            scope: "packets",
            applicationProtocol: applicationProtocol
        )
        var flights: [(sender: Side, bytes: [UInt8])] = []
        var toServer = ByteQueue()
        var toClient = ByteQueue()
        // TLS 1.3 needs a round for each side, and another one if the client's share of the key is refused.
        for _ in 0..<4 {
            let clientStep = client.handshake(&toClient, &toServer)
            if !toServer.isEmpty { flights.append((.client, toServer.prefix())) }
            let serverStep = server.handshake(&toServer, &toClient)
            if !toClient.isEmpty { flights.append((.server, toClient.prefix())) }
            if clientStep == .finished, serverStep == .finished { break }
        }
        self.flights = flights
        secrets = ends.secrets.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    /// Returns the records of `bytes`, which `side` sends.
    ///
    /// - Throws: ``TLSFailure`` when the connection is broken.
    func records(_ bytes: [UInt8], from side: Side) throws(TLSFailure) -> [UInt8] {
        var plain = ByteQueue(bytes)
        var records = ByteQueue()
        try (side == .client ? client : server).encrypt(&plain, count: bytes.count, into: &records)
        return records.prefix()
    }
}
