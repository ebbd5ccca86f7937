import PinholeCrypto
import PinholeModel

/// The first bytes of a client, as OpenSSL sends them.
enum ClientHelloBytes {
    /// A ClientHello that asks for `name`.
    static func make(for name: String) throws -> [UInt8] {
        let engine = try TLSEngine(
            connecting: TLSContext(
                connectingVersions: .tls12 ... .tls13,
                trust: TrustAnchors(system: false, additional: [])
            ),
            judge: ServerJudge(host: .name(name), exemption: nil, distrusted: []),
            serverName: name,
            applicationProtocols: ["http/1.1"]
        )
        var input = ByteQueue()
        var output = ByteQueue()
        _ = engine.handshake(&input, &output)
        return output.prefix()
    }
}
