import PinholeModel

/// Reads the two connections of a flow of mitmproxy.
struct MitmproxyConnectionReader {
    private let flow: TNetstring

    /// Creates a reader of the flow's dictionary.
    init(_ flow: TNetstring) { self.flow = flow }

    /// Adds the facts about the connections to an exchange.
    func read(into exchange: inout ImportedExchange) {
        let client = flow["client_conn"]
        let server = flow["server_conn"]
        if let id = client?["id"]?.text {
            exchange.connection.key = "\(id) \(exchange.record.scheme) \(exchange.record.authority)"
        }
        exchange.connection.client = address(client?["peername"] ?? client?["address"])
        exchange.connection.server = address(server?["peername"] ?? server?["ip_address"])
        let started = exchange.record.timings.started
        exchange.connection.clientHandshake = handshake(client, .client, "timestamp_start", started)
        exchange.connection.serverHandshake = handshake(server, .server, "timestamp_tcp_setup", started)
    }

    private func address(_ value: TNetstring?) -> String? {
        guard let parts = value?.elements, parts.count >= 2, let host = parts[0].text,
            let port = parts[1].integer, (0...65_535).contains(port)
        else { return nil }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private func handshake(
        _ connection: TNetstring?,
        _ peer: Side,
        _ begin: String,
        _ fallback: Timestamp
    ) -> HandshakeRecord? {
        guard let connection, let version = connection["tls_version"]?.text,
            (connection["tls"] ?? connection["tls_established"] ?? .truth(true)).isTrue
        else { return nil }
        let started = MitmproxyFlowReader.moment(connection[begin]) ?? fallback
        let ended = MitmproxyFlowReader.moment(
            connection["timestamp_tls_setup"] ?? connection["timestamp_ssl_setup"]
        )
        var handshake = HandshakeRecord(
            peer: peer,
            started: started,
            duration: max((ended ?? started) - started, .zero)
        )
        handshake.version = version
        handshake.cipher = (connection["cipher"] ?? connection["cipher_name"])?.text
        handshake.applicationProtocol = (connection["alpn"] ?? connection["alpn_proto_negotiated"])?.text
        handshake.serverName = connection["sni"]?.text
        let certificates = (connection["certificate_list"]?.elements ?? []).compactMap {
            $0.bytes.flatMap(PEMText.certificate)
        }
        if peer == .server {
            handshake.presentedChain = certificates
        } else {
            handshake.clientCertificate = certificates.first
        }
        return handshake
    }
}

/// Certificates as PEM (RFC 7468).
enum PEMText {
    private static let begin = Array("-----BEGIN CERTIFICATE-----".utf8)
    private static let end = Array("-----END CERTIFICATE-----".utf8)

    /// Returns the first certificate in `text`, as DER; `nil` if there is none.
    static func certificate(_ text: [UInt8]) -> [UInt8]? {
        guard let start = text.firstRange(of: begin)?.upperBound,
            let stop = text[start...].firstRange(of: end)?.lowerBound
        else { return nil }
        return Base64.decode(text[start..<stop])
    }

    /// Returns a certificate as PEM.
    static func text(_ der: [UInt8]) -> [UInt8] {
        var base64: [UInt8] = []
        Base64.append(der, to: &base64)
        var text = begin + [0x0a]
        for start in stride(from: 0, to: base64.count, by: 64) {
            text += base64[start..<min(start + 64, base64.count)] + [0x0a]
        }
        return text + end + [0x0a]
    }
}
