extension Certificate {
    /// Reads all certificates of a PEM text, in their order.
    ///
    /// Other blocks and the text between blocks are ignored.
    ///
    /// - Returns: At least one certificate.
    /// - Throws: ``CryptoFailure`` when there is no certificate or a certificate is damaged.
    package static func parsePEM(_ text: String) throws(CryptoFailure) -> [Certificate] {
        try certificates(in: PEM.blocks(in: Array(text.utf8)))
    }

    /// Reads a file that holds certificates in PEM, or in DER one after the other.
    ///
    /// - Parameter bytes: The content of the file.
    /// - Returns: At least one certificate.
    /// - Throws: ``CryptoFailure`` when the file is neither.
    package static func parse(_ bytes: [UInt8]) throws(CryptoFailure) -> [Certificate] {
        // A DER certificate begins with a SEQUENCE with a long length; no text begins with these bytes.
        if bytes.first == 0x30, bytes.dropFirst().first.map({ $0 >= 0x80 }) == true {
            return try certificates(inDER: bytes)
        }
        return try certificates(in: PEM.blocks(in: bytes))
    }

    private static func certificates(inDER bytes: [UInt8]) throws(CryptoFailure) -> [Certificate] {
        var certificates: [Certificate] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            // The header says where the certificate ends; 16 bytes hold it.
            let announced = DERShape(Array(rest.prefix(16)))?.announced ?? rest.count
            guard announced <= rest.count else {
                throw DERShape(Array(rest))?.truncation ?? CryptoFailure("expected a certificate in DER")
            }
            certificates.append(try Certificate(der: Array(rest.prefix(announced))))
            rest = rest.dropFirst(announced)
        }
        return certificates
    }

    static func certificates(in blocks: [PEM.Block]) throws(CryptoFailure) -> [Certificate] {
        var certificates: [Certificate] = []
        for block in blocks where block.isCertificate {
            certificates.append(try Certificate(block: block))
        }
        guard !certificates.isEmpty else {
            let found = Set(blocks.map(\.label)).sorted().joined(separator: ", ")
            throw CryptoFailure(
                "expected a certificate in PEM (“-----BEGIN CERTIFICATE-----”), found "
                    + (found.isEmpty ? "no PEM block" : "only \(found)")
            )
        }
        return certificates
    }

    init(block: PEM.Block) throws(CryptoFailure) {
        guard let content = block.content else {
            throw CryptoFailure("the certificate in line \(block.line) is damaged: no Base64 or no END line")
        }
        do {
            try self.init(der: content)
        } catch {
            throw error.adding("the certificate in line \(block.line) is damaged")
        }
    }

    /// The certificate in PEM.
    package var pem: String { PEM.encode(der, label: "CERTIFICATE") }
}

extension PEM.Block {
    var isCertificate: Bool { label == "CERTIFICATE" || label == "X509 CERTIFICATE" }
}
