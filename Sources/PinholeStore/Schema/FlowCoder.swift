import PinholeModel

/// Converts a flow to the JSON of its row and back; certificates are replaced by their numbers.
enum FlowCoder {
    /// The numbers of the certificates of a handshake, in the order of the chain.
    struct Certificates: Codable {
        var presented: [Int64] = []
        var validated: [Int64] = []
        var client: Int64?
    }

    struct Row: Codable {
        var flow: FlowRecord
        var clientCertificates: Certificates?
        var serverCertificates: Certificates?
    }

    /// The largest size of all certificates of a flow, in bytes; OpenSSL accepts chains of 100 KiB from a peer.
    private static let certificateBytes = 1 << 20
    /// The smallest size that a certificate counts, so that a flow cannot name any number of short ones.
    private static let leastCertificate = 256

    /// Returns the JSON of `flow` in UTF-8; `number` returns the number of a certificate.
    static func encode(_ flow: FlowRecord, number: ([UInt8]) throws -> Int64) throws -> [UInt8] {
        let client = try certificates(of: flow.clientHandshake, number)
        return text(of: flow, client, try certificates(of: flow.serverHandshake, number))
    }

    /// Returns the JSON of a process, as it is contained in that of its flow.
    static func encode(_ process: ClientProcess) throws -> String { try JSONText.encoding(process) }

    /// Returns the flow of a row with its number and its JSON; `certificate` returns the certificate with a number.
    static func decode(
        _ stored: StoredRow,
        certificate: (Int64) throws -> [UInt8]?
    ) throws -> FlowRecord {
        let json = Array(try stored.text(1).utf8)
        guard var row = try? JSONValue(parsing: json).decoded(as: Row.self), row.flow.hasPossibleCounts else {
            throw stored.fault(1, "the JSON of a flow")
        }
        // Lists continue after the number of the row, so a different number in the JSON must not count.
        row.flow.id = FlowID(rawValue: try stored.id(0))
        // A small file can name one large certificate again and again.
        var room = certificateBytes
        let bounded = { (number: Int64) throws -> [UInt8]? in
            let bytes = try certificate(number)
            room -= max(bytes?.count ?? 0, leastCertificate)
            guard room >= 0 else {
                throw stored.fault(1, "certificates of at most \(certificateBytes) bytes")
            }
            return bytes
        }
        try put(row.clientCertificates, into: &row.flow.clientHandshake, bounded)
        try put(row.serverCertificates, into: &row.flow.serverHandshake, bounded)
        return row.flow
    }

    /// Returns the numbers of the certificates of a handshake; `nil` if it has none.
    private static func certificates(
        of handshake: HandshakeRecord?,
        _ number: ([UInt8]) throws -> Int64
    ) throws -> Certificates? {
        guard let handshake,
            !handshake.presentedChain.isEmpty || !handshake.validatedChain.isEmpty
                || handshake.clientCertificate != nil
        else { return nil }
        return Certificates(
            presented: try handshake.presentedChain.map(number),
            validated: try handshake.validatedChain.map(number),
            client: try handshake.clientCertificate.map(number)
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
    /// Whether all counts and lengths are in the range in which they can be added.
    fileprivate var hasPossibleCounts: Bool {
        let failures = [clientHandshake?.failure, serverHandshake?.failure].compactMap(\.self)
        let counts =
            [bytesFromClient, bytesFromServer, Int64(exchanges)] + failures.map(\.bytesAfterHandshake)
        return counts.allSatisfy(FieldRange.lengths.contains)
    }
}
