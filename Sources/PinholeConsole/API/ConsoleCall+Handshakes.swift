import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeStore

/// Both handshakes of a flow side by side.
extension ConsoleCall {
    /// Returns the handshakes of the flow with the number, or of the flow of the exchange with the number.
    func handshakes(_ reader: CaptureReader) throws -> ConsoleAnswer {
        let id = try id()
        var flow = try reader.flow(FlowID(rawValue: id))
        if flow == nil, let exchange = try reader.exchange(ExchangeID(rawValue: id)) {
            flow = try reader.flow(exchange.flow)
        }
        guard let flow else { throw Problem.missing(id) }
        let authority = flow.authority.flatMap { try? Authority($0, defaultPort: 443) }
        let chain = { (ders: [[UInt8]]) in
            ders.enumerated().map { CertificateReport($1, place: $0, of: ders.count, authority: authority) }
        }
        let real = chain(flow.serverHandshake?.presentedChain ?? [])
        let forged = chain(flow.clientHandshake?.presentedChain ?? [])
        let failure = flow.failedHandshake?.failure
        return .json(
            HandshakeReport(
                flow: FlowJSON(flow),
                clientHello: flow.clientHello,
                signatureSchemes: flow.clientHello?.signatureSchemes.map {
                    SignatureScheme(rawValue: $0).description
                },
                keyExchange: KeyExchange(flow).map(KeyExchangeJSON.init),
                client: flow.clientHandshake.map(FlowDetailJSON.Handshake.init),
                server: flow.serverHandshake.map(FlowDetailJSON.Handshake.init),
                chains: HandshakeReport.Chains(real: real, forged: forged),
                differences: CertificateDifference.between(real, forged),
                cause: failure.map { ($0.isHint ? "probably: " : "") + $0.detail },
                remedy: flow.remedy
            )
        )
    }
}

/// Both handshakes of a flow, with the certificates of both chains.
struct HandshakeReport: Codable {
    struct Chains: Codable {
        let real: [CertificateReport]
        let forged: [CertificateReport]
    }

    let flow: FlowJSON
    let clientHello: ClientHelloRecord?
    /// The names of the client's signature schemes.
    let signatureSchemes: [String]?
    let keyExchange: KeyExchangeJSON?
    let client: FlowDetailJSON.Handshake?
    let server: FlowDetailJSON.Handshake?
    let chains: Chains
    let differences: [CertificateDifference]
    let cause: String?
    let remedy: String?
}

/// A field in which the forged certificate differs from the real one.
struct CertificateDifference: Codable, Equatable {
    let field: String
    let real: String?
    let forged: String?

    /// Returns the differences between the leaf certificates, and between the lengths of both chains.
    static func between(_ real: [CertificateReport], _ forged: [CertificateReport]) -> [CertificateDifference]
    {
        guard let first = real.first, let other = forged.first else { return [] }
        let fields: [(String, (CertificateReport) -> String)] = [
            ("subject", \.subject), ("issuer", \.issuer), ("names", { $0.names.joined(separator: ", ") }),
            ("serial", \.serial), ("notBefore", \.notBefore), ("notAfter", \.notAfter),
            ("key", \.key.description), ("signature", \.signature), ("sha256", \.sha256),
            ("spki-sha256", { $0.pins["spki-sha256"] ?? "" }),
        ]
        var differences = fields.compactMap { name, value in
            value(first) == value(other)
                ? nil : CertificateDifference(field: name, real: value(first), forged: value(other))
        }
        let names = (first.extensions + other.extensions).reduce(into: [String]()) { names, found in
            if !names.contains(found.name) { names.append(found.name) }
        }
        for name in names {
            let texts = [first, other].map { report in report.extensions.first { $0.name == name }?.text }
            if texts[0] != texts[1] {
                differences.append(CertificateDifference(field: name, real: texts[0], forged: texts[1]))
            }
        }
        if real.count != forged.count {
            differences.append(
                CertificateDifference(field: "chain length", real: "\(real.count)", forged: "\(forged.count)")
            )
        }
        return differences
    }
}
