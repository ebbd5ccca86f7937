import FoundationEssentials
import PinholeModel

/// A flow as the JSON of its row: certificates are replaced by their numbers.
struct FlowCoder {
    /// The numbers of the certificates of a handshake, in the order of the chain.
    private struct Certificates: Codable {
        var presented: [Int64] = []
        var validated: [Int64] = []
        var client: Int64?
    }

    private struct Row: Codable {
        var flow: FlowRecord
        var clientCertificates: Certificates?
        var serverCertificates: Certificates?
    }

    /// The bytes of all certificates of a flow; OpenSSL takes chains of 100 KiB from a peer.
    private static let certificateBytes = 1 << 20
    /// The least number of bytes that a certificate counts, so that a flow cannot name short ones without end.
    private static let leastCertificate = 256

    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    /// The JSON of `flow`; `number` gives a certificate its number.
    func encode(_ flow: FlowRecord, number: ([UInt8]) throws -> Int64) throws -> String {
        var row = Row(flow: flow)
        row.clientCertificates = try Self.take(from: &row.flow.clientHandshake, number)
        row.serverCertificates = try Self.take(from: &row.flow.serverHandshake, number)
        return String(decoding: try encoder.encode(row), as: UTF8.self)
    }

    /// The JSON of a process, as it stands in that of its flow.
    func encode(_ process: ClientProcess) throws -> String {
        String(decoding: try encoder.encode(process), as: UTF8.self)
    }

    /// The flow in a row of its number and its JSON; `certificate` is asked for the certificate with a number.
    func decode(_ stored: StoredRow, certificate: (Int64) throws -> [UInt8]?) throws -> FlowRecord {
        let json = Data(try stored.text(1).utf8)
        guard var row = try? decoder.decode(Row.self, from: json), row.flow.hasPossibleCounts else {
            throw stored.fault(1, "the JSON of a flow")
        }
        // Lists continue after the number of the row, so a different number in the JSON must not count.
        row.flow.id = FlowID(rawValue: try stored.id(0))
        // A small file can name one large certificate again and again.
        var room = Self.certificateBytes
        let bounded = { (number: Int64) throws -> [UInt8]? in
            let bytes = try certificate(number)
            room -= max(bytes?.count ?? 0, Self.leastCertificate)
            guard room >= 0 else {
                throw stored.fault(1, "certificates of at most \(Self.certificateBytes) bytes")
            }
            return bytes
        }
        try Self.put(row.clientCertificates, into: &row.flow.clientHandshake, bounded)
        try Self.put(row.serverCertificates, into: &row.flow.serverHandshake, bounded)
        return row.flow
    }

    private static func take(
        from handshake: inout HandshakeRecord?,
        _ number: ([UInt8]) throws -> Int64
    ) throws -> Certificates? {
        guard let full = handshake else { return nil }
        guard !full.presentedChain.isEmpty || !full.validatedChain.isEmpty || full.clientCertificate != nil
        else { return nil }
        handshake?.presentedChain = []
        handshake?.validatedChain = []
        handshake?.clientCertificate = nil
        return Certificates(
            presented: try full.presentedChain.map(number),
            validated: try full.validatedChain.map(number),
            client: try full.clientCertificate.map(number)
        )
    }

    private static func put(
        _ certificates: Certificates?,
        into handshake: inout HandshakeRecord?,
        _ certificate: (Int64) throws -> [UInt8]?
    ) throws {
        guard let certificates else { return }
        handshake?.presentedChain = try certificates.presented.compactMap(certificate)
        handshake?.validatedChain = try certificates.validated.compactMap(certificate)
        handshake?.clientCertificate = try certificates.client.flatMap(certificate)
    }
}

extension FlowRecord {
    /// Whether counts and lengths are such as can be added.
    fileprivate var hasPossibleCounts: Bool {
        let failures = [clientHandshake?.failure, serverHandshake?.failure].compactMap(\.self)
        let counts =
            [bytesFromClient, bytesFromServer, Int64(exchanges)] + failures.map(\.bytesAfterHandshake)
        return counts.allSatisfy(StoredRow.lengths.contains)
    }
}
