import PinholeModel

/// The two connections of an exchange, in the form of mitmproxy.
struct MitmproxyConnections {
    private let record: ExchangeRecord
    private let flow: FlowRecord?

    private static let versions: Set<String> = ["SSLv3", "TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"]

    /// Creates the connections of an exchange; `flow` is `nil` if it was removed.
    init(_ record: ExchangeRecord, _ flow: FlowRecord?) {
        self.record = record
        self.flow = flow
    }

    /// The connection of the client.
    var client: TNetstring {
        let opened = flow?.opened ?? record.timings.started
        let handshake = flow?.clientHandshake
        var members = common(handshake, certificates: [handshake?.clientCertificate].compactMap(\.self))
        members["id"] = .text(MitmproxyExport.identifier(opened, record.flow.rawValue))
        members["peername"] = address(flow?.client) ?? .list([.text("0.0.0.0"), .integer(0)])
        members["sockname"] = address(flow?.listener) ?? .list([.text("0.0.0.0"), .integer(0)])
        members["mitmcert"] = handshake?.presentedChain.first.map { .bytes(PEMText.text($0)[...]) } ?? .null
        members["proxy_mode"] = .text("regular")
        members["timestamp_start"] = MitmproxyExport.seconds(opened)
        members["timestamp_end"] = MitmproxyExport.seconds(flow?.closed)
        members["timestamp_tls_setup"] = MitmproxyExport.seconds(handshake.map { $0.started + $0.duration })
        return .dictionary(members)
    }

    /// The connection to the server; its times are set only if the exchange opened the connection.
    var server: TNetstring {
        let handshake = flow?.serverHandshake
        let timings = record.timings
        let dialed = timings.started + (timings.blocked ?? .zero) + (timings.resolve ?? .zero)
        let connected = timings.connect.map { dialed + $0 }
        var members = common(handshake, certificates: handshake?.presentedChain ?? [])
        members["id"] = .text(MitmproxyExport.identifier(timings.started, -record.flow.rawValue))
        members["address"] = .list([
            .text(record.authority.host.description), .integer(Int64(record.authority.port)),
        ])
        members["peername"] = address(flow?.server) ?? .null
        members["sockname"] = .null
        members["via"] = .null
        members["timestamp_start"] = connected == nil ? .null : MitmproxyExport.seconds(dialed)
        members["timestamp_end"] = .null
        members["timestamp_tcp_setup"] = MitmproxyExport.seconds(connected)
        members["timestamp_tls_setup"] = MitmproxyExport.seconds(
            connected.flatMap { moment in timings.tls.map { moment + $0 } }
        )
        return .dictionary(members)
    }

    private func common(_ handshake: HandshakeRecord?, certificates: [[UInt8]]) -> [String: TNetstring] {
        let version = handshake?.version.flatMap { Self.versions.contains($0) ? $0 : nil }
        let text = { (text: String?) -> TNetstring in text.map { .text($0) } ?? .null }
        return [
            "alpn": handshake?.applicationProtocol.map { .bytes(Array($0.utf8)[...]) } ?? .null,
            "alpn_offers": .list([]),
            "certificate_list": .list(certificates.map { .bytes(PEMText.text($0)[...]) }),
            "cipher": text(handshake?.cipher),
            "cipher_list": .list([]),
            "error": .null,
            "sni": text(handshake?.serverName),
            "tls": .truth(handshake != nil),
            "tls_version": text(version),
            "transport_protocol": .text("tcp"),
        ]
    }

    private func address(_ text: String?) -> TNetstring? {
        guard let text, let authority = try? Authority(text) else { return nil }
        return .list([.text(authority.host.description), .integer(Int64(authority.port))])
    }
}
